#pragma once

#include "sync/server/database.h"

#include <QVariant>

#include <initializer_list>
#include <type_traits>

namespace daybook {

class Transaction;

/// The rows of one executed statement; resets the statement when it ends.
class Rows
{
public:
    Rows(Transaction &transaction, QSqlQuery *query) : m_transaction(transaction), m_query(query) {}
    ~Rows();
    Q_DISABLE_COPY_MOVE(Rows)

    bool next();
    /// Whether the statement inserted, updated or deleted anything.
    bool changedSomething() const { return m_query != nullptr && m_query->numRowsAffected() > 0; }

    bool isNull(int column) const { return m_query->isNull(column); }
    bool flag(int column) const { return integer(column) != 0; }
    qint64 integer(int column) const { return m_query->value(column).toLongLong(); }
    QString text(int column) const { return m_query->value(column).toString(); }
    QByteArray bytes(int column) const { return m_query->value(column).toByteArray(); }
    /// The value a column was read as; one that could not be read spoils the transaction.
    template<typename Read>
    auto known(const Read &read) const;

private:
    Transaction &m_transaction;
    QSqlQuery *m_query;
};

/// What one piece of work reads and writes, all of it or nothing. The first statement that fails spoils it:
/// no later one is run, and `Storage` undoes the work and ignores what it made of the missing rows. So work
/// needs no error paths of its own.
class Transaction
{
public:
    enum class Access { Read, Write };

    Transaction(Database &database, Access access) : m_database(database), m_access(access) {}

    /// \p sql must be a literal; \p values for its question marks. One statement has one Rows at a time.
    Rows execute(const char *sql, std::initializer_list<QVariant> values = {});

    bool mayWrite() const { return m_access == Access::Write; }
    /// From work that only reads and finds that it must write: it is run again as a write instead.
    void repeatAsWrite() { m_repeatAsWrite = true; }
    bool isToBeRepeatedAsWrite() const { return m_repeatAsWrite; }

    bool isSpoiled() const { return m_spoiled; }
    /// Spoiled by the disk, a lock or memory, not by a statement.
    bool isStorageOut() const { return m_storageOut; }
    void spoil(const char *sql, const QSqlError &error);

private:
    Database &m_database;
    Access m_access;
    bool m_repeatAsWrite = false;
    bool m_spoiled = false;
    bool m_storageOut = false;
};

template<typename Read>
auto Rows::known(const Read &read) const
{
    if (read)
        return *read;
    m_transaction.spoil("reading a column", QSqlError(QStringLiteral("the stored value is out of range")));
    return std::decay_t<decltype(*read)>();
}

} // namespace daybook
