#pragma once

#include "models/domain/recordedat.h"

#include <QLocale>

namespace daybook {

/// The locale's short time of day, without seconds.
QString timeFormat(const QLocale &locale);
/// The locale's short date, with the whole year, and timeFormat().
QString dateTimeFormat(const QLocale &locale);
/// The wall clock it was recorded with; its offset follows only where it is not the one of here at that
/// instant.
QString recordedText(const RecordedAt &recordedAt, const QLocale &locale);
/// The same offset that this computer's time zone has at that instant.
bool isRecordedHere(const RecordedAt &recordedAt);
/// `UTC+09:00`
QString offsetText(const RecordedAt &recordedAt);

} // namespace daybook
