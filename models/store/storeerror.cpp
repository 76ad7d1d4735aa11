#include "models/store/storeerror.h"

namespace daybook {

namespace {

/// Primary result codes, https://www.sqlite.org/rescode.html. Extended ones carry them in their low byte.
enum SqliteCode {
    Permission = 3,
    Busy = 5,
    Locked = 6,
    ReadOnly = 8,
    InputOutput = 10,
    Corrupt = 11,
    Full = 13,
    CannotOpen = 14,
    NotADatabase = 26,
    // Extended ones that say more: a full disk shows itself so where SQLite writes beside the database file.
    WriteFailed = InputOutput | (3 << 8),
    SharedMemorySizeFailed = InputOutput | (19 << 8),
};

ErrorKind kindOf(int nativeCode)
{
    if (nativeCode == WriteFailed || nativeCode == SharedMemorySizeFailed)
        return ErrorKind::DiskFull;
    switch (nativeCode & 0xFF) {
    case Busy:
    case Locked: return ErrorKind::StoreBusy;
    case Permission:
    case ReadOnly: return ErrorKind::StoreReadOnly;
    case Full: return ErrorKind::DiskFull;
    case Corrupt:
    case NotADatabase: return ErrorKind::StoreCorrupt;
    case InputOutput:
    case CannotOpen: return ErrorKind::StoreUnavailable;
    default: return ErrorKind::Internal;
    }
}

QLatin1StringView whatToDo(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::DiskFull: return QLatin1StringView("the disk is full; free some space and try again");
    case ErrorKind::StoreBusy: return QLatin1StringView("another program is writing; try again in a moment");
    case ErrorKind::StoreReadOnly: return QLatin1StringView("the data folder cannot be written to");
    case ErrorKind::StoreCorrupt:
        return QLatin1StringView("the store is damaged; keep a copy of the data folder before anything else");
    default: return QLatin1StringView("the store cannot be used");
    }
}

} // namespace

Error storeError(const QSqlError &error)
{
    const ErrorKind kind = kindOf(error.nativeErrorCode().toInt());
    return {kind, QStringLiteral("%1 (%2)").arg(whatToDo(kind), error.text().trimmed())};
}

Error damagedRow(const QString &what)
{
    return {ErrorKind::StoreCorrupt, QStringLiteral("the store holds something unreadable: %1").arg(what)};
}

} // namespace daybook
