#pragma once

#include "models/domain/result.h"

#include <QList>
#include <QString>

#include <array>

namespace daybook {

class Connection;

/// One invariant that does not hold for one row.
struct Finding
{
    int invariant = 0; ///< 1 to 9 as queue.md numbers them; 0 for the file itself (integrity, foreign keys)
    QString detail;    ///< ids and numbers, never values or notes

    bool operator==(const Finding &) const = default;
};

constexpr int maximumFindingsPerInvariant = 100;

/// What `verify` found in a whole store file.
struct AuditReport
{
    qint64 entries = 0;
    qint64 operations = 0;
    qint64 attempts = 0;
    std::array<qint64, 10> found{}; ///< how many findings each invariant has, listed or not
    QList<Finding> findings;        ///< at most maximumFindingsPerInvariant of each; empty when all hold

    void add(int invariant, const QString &detail);
    bool clean() const { return findings.isEmpty(); }
};

/// Checks every invariant of the store, all accounts, in one read transaction. Reads everything: seconds for
/// a million entries. A file that fails SQLite's own check is not looked into any further.
///
/// Two invariants are about change over time, of which one moment shows only the traces:
/// 4 - what was leased once has attempts and the first one's time, an update or delete also its base_version;
///     a create names its own entry. A changed payload or fingerprint breaks 5.
/// 9 - only an account that has a server has a cursor.
/// Of 3 it shows that every operation is in a known state, finished exactly when it says when, in its turn
/// (is_head), and superseded by a later one of the same entry; a successor that is gone has been purged.
Result<AuditReport> audit(Connection &connection);

} // namespace daybook
