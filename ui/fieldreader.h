#pragma once

#include "models/domain/entry.h"
#include "models/domain/merge.h"

#include <variant>

namespace daybook {

/// Which field of a form cannot be taken, and the sentence that says why and what to do.
struct FieldError
{
    EntryField field;
    QString text;
};

/// What stands in a form, as it was typed or pasted.
struct TypedFields
{
    QString value;
    Result<RecordedAt> recordedAt;
    QString category;
    QString note;
};

/// The fields of an entry out of a form. Characters that can never be stored are left out; a text that is too
/// long is refused, not cut.
std::variant<EntryFields, FieldError> readFields(const TypedFields &typed, const QLocale &locale);

} // namespace daybook
