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
};

ErrorKind kindOf(int nativeCode)
{
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

} // namespace

Error storeError(const QSqlError &error)
{
    return {kindOf(error.nativeErrorCode().toInt()),
            QStringLiteral("the store answered: %1").arg(error.databaseText())};
}

Error damagedRow(const QString &what)
{
    return {ErrorKind::StoreCorrupt, QStringLiteral("the store holds something unreadable: %1").arg(what)};
}

} // namespace daybook
