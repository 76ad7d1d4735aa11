#pragma once

#include "models/domain/entry.h"

namespace daybook {

class JsonWriter;
class MemberReader;

/// The fields of an entry among the members of a request, a reply or a problem: the same everywhere.
EntryFields readFields(MemberReader &members);
void writeFields(JsonWriter &writer, const EntryFields &fields);

} // namespace daybook
