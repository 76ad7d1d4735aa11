#include "ui/fieldreader.h"

#include "ui/problemtext.h"

#include <QCoreApplication>

namespace daybook {

namespace {

/// The translation context of this file.
struct FieldReader
{
    Q_DECLARE_TR_FUNCTIONS(FieldReader)
};

qsizetype codePoints(const QString &text) { return text.toUcs4().size(); }

QString valueError(const QString &text, const QLocale &locale)
{
    if (text.trimmed().isEmpty())
        return FieldReader::tr("Type a value first.");
    const QString example = DecimalValue::fromThousandths(72'500)->toUserText(locale);
    return FieldReader::tr(
               "“%1” is not a value that can be kept. Type a number such as %2: at most 12 digits, and "
               "at most 3 decimals.")
        .arg(text.trimmed().left(40), example);
}

} // namespace

std::variant<EntryFields, FieldError> readFields(const TypedFields &typed, const QLocale &locale)
{
    const auto value = DecimalValue::fromUserText(typed.value.trimmed(), locale);
    if (!value)
        return FieldError{EntryField::Value, valueError(typed.value, locale)};
    if (!typed.recordedAt)
        return FieldError{
            EntryField::RecordedAt,
            FieldReader::tr("There is no such time here: the clocks were put forward over it. Choose "
                            "another time.")};
    const QString category = withoutUnstorable(typed.category);
    if (const auto length = codePoints(category); length > maximumCategoryCodePoints)
        return FieldError{EntryField::Category,
                          FieldReader::tr("The category has %1 characters; at most %2 fit. Shorten it.")
                              .arg(length)
                              .arg(maximumCategoryCodePoints)};
    const QString note = withoutUnstorable(typed.note);
    if (const auto length = codePoints(note); length > maximumNoteCodePoints)
        return FieldError{EntryField::Note,
                          FieldReader::tr("The note has %1 characters; at most %2 fit. Shorten it.")
                              .arg(length)
                              .arg(maximumNoteCodePoints)};
    return EntryFields{*value, *typed.recordedAt, category, note};
}

} // namespace daybook
