#include "sync/protocol/entrymembers.h"

#include "sync/protocol/jsonwriter.h"
#include "sync/protocol/memberreader.h"

namespace daybook {

namespace {

constexpr QLatin1StringView value("value");
constexpr QLatin1StringView recordedAt("recordedAt");
constexpr QLatin1StringView category("category");
constexpr QLatin1StringView note("note");

} // namespace

EntryFields readFields(MemberReader &members)
{
    EntryFields fields;
    fields.value = members.decimal(value);
    fields.recordedAt = members.time(recordedAt);
    fields.category = members.optionalText(category, maximumCategoryCodePoints);
    fields.note = members.optionalText(note, maximumNoteCodePoints);
    return fields;
}

void writeFields(JsonWriter &writer, const EntryFields &fields)
{
    writer.number(value, fields.value);
    writer.text(recordedAt, fields.recordedAt.toRfc3339());
    writer.text(category, fields.category);
    writer.text(note, fields.note);
}

} // namespace daybook
