#pragma once

#include "models/domain/result.h"

#include <QList>
#include <QString>

namespace daybook {

class Connection;

/// One invariant that does not hold for one row.
struct Finding
{
    int invariant = 0; ///< 1 to 9 as docs/queue numbers them; 0 for the file itself (integrity, foreign keys)
    QString detail;    ///< ids and numbers, never values or notes
};

/// What `verify` found in a whole store file.
struct AuditReport
{
    qint64 entries = 0;
    qint64 operations = 0;
    qint64 attempts = 0;
    QList<Finding> findings; ///< empty when everything holds

    bool clean() const { return findings.isEmpty(); }
};

/// Checks every invariant of the store, all accounts, in one read transaction. Reads everything: seconds for
/// a million entries.
Result<AuditReport> audit(Connection &connection);

} // namespace daybook
