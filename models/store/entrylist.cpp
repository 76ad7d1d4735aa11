#include "models/store/entrylist.h"

#include "models/store/entryrepository.h"
#include "models/store/statement.h"

namespace daybook {

namespace {

constexpr QLatin1StringView newestFirst(" ORDER BY recorded_at DESC, local_id");

QString likePattern(const QString &search)
{
    QString text = search;
    for (const QLatin1Char special : {QLatin1Char('\\'), QLatin1Char('%'), QLatin1Char('_')})
        text.replace(special, QLatin1String("\\") + special);
    return QLatin1Char('%') + text + QLatin1Char('%');
}

/// Text of a statement together with the values of its parameters, growing side by side.
struct Query
{
    QString sql;
    QVariantList values;

    template<typename... Values>
    Query &add(const QString &text, const Values &...parameters)
    {
        sql += text;
        (values.append(toColumn(parameters)), ...);
        return *this;
    }

    Query &add(const Query &other)
    {
        sql += other.sql;
        values += other.values;
        return *this;
    }
};

/// `FROM entries WHERE` what the filter shows; the conditions word for word as the partial indexes have them.
Query shownBy(const EntryFilter &filter, AccountId account)
{
    Query query;
    query.add(QStringLiteral(" FROM entries WHERE account_id = ? AND "), account);
    switch (filter.sync) {
    case EntryFilter::Sync::All: query.add(QStringLiteral("deleted = 0")); break;
    case EntryFilter::Sync::NotSynced:
        query.add(QStringLiteral("deleted = 0 AND sync_state BETWEEN 1 AND 6"));
        break;
    case EntryFilter::Sync::NeedsAttention: query.add(QStringLiteral("sync_state = 5")); break;
    case EntryFilter::Sync::Conflicts: query.add(QStringLiteral("sync_state = 6")); break;
    }
    if (filter.category)
        query.add(QStringLiteral(" AND category = ?"), *filter.category);
    if (!filter.search.isEmpty()) {
        const QString pattern = likePattern(filter.search);
        query.add(QStringLiteral(" AND (category LIKE ? ESCAPE '\\' OR note LIKE ? ESCAPE '\\')"), pattern,
                  pattern);
    }
    return query;
}

Query selectShown(const EntryFilter &filter, AccountId account)
{
    Query query{QStringLiteral("SELECT ") + entryColumns(), {}};
    return query.add(shownBy(filter, account));
}

Result<qint64> count(Connection &connection, const Query &query)
{
    const auto found = selectFirst(connection, query.sql, readNumber, query.values);
    return found ? Result<qint64>(found->value_or(0)) : Result<qint64>(found.error());
}

} // namespace

Result<QList<Entry>> EntryList::entriesAfter(const EntryFilter &filter, const std::optional<EntryKey> &after,
                                             int limit) const
{
    if (!after)
        return entriesFrom(filter, 0, limit);
    // In two walks, so that neither steps over what was shown before, however many share one instant.
    const Query shown = selectShown(filter, m_account);
    const QString order = newestFirst + QLatin1String(" LIMIT ?)");
    Query query{QStringLiteral("SELECT * FROM ("), {}};
    query.add(shown)
        .add(QStringLiteral(" AND recorded_at = ? AND local_id > ?"), after->recordedAt, after->id)
        .add(order, limit)
        .add(QStringLiteral(" UNION ALL SELECT * FROM ("))
        .add(shown)
        .add(QStringLiteral(" AND recorded_at < ?"), after->recordedAt)
        .add(order, limit)
        .add(newestFirst + QLatin1String(" LIMIT ?"), limit);
    return selectAll(m_connection, query.sql, readEntry, query.values);
}

Result<QList<Entry>> EntryList::entriesFrom(const EntryFilter &filter, qint64 offset, int limit) const
{
    Query query = selectShown(filter, m_account);
    query.add(newestFirst + QLatin1String(" LIMIT ? OFFSET ?"), limit, offset);
    return selectAll(m_connection, query.sql, readEntry, query.values);
}

Result<QList<Entry>> EntryList::entriesById(const EntryFilter &filter, const QList<ClientEntryId> &ids) const
{
    const Query shown = selectShown(filter, m_account);
    QList<Entry> entries;
    for (const ClientEntryId &id : ids) {
        Query query = shown;
        query.add(QStringLiteral(" AND local_id = ?"), id);
        const auto entry = selectFirst(m_connection, query.sql, readEntry, query.values);
        if (!entry)
            return entry.error();
        if (*entry)
            entries.append(**entry);
    }
    return entries;
}

Result<qint64> EntryList::entryCount(const EntryFilter &filter) const
{
    return count(m_connection, Query{QStringLiteral("SELECT count(*)"), {}}.add(shownBy(filter, m_account)));
}

Result<qint64> EntryList::entriesBefore(const EntryFilter &filter, const EntryKey &key) const
{
    const Query shown = shownBy(filter, m_account);
    Query query{QStringLiteral("SELECT (SELECT count(*)"), {}};
    query.add(shown)
        .add(QStringLiteral(" AND recorded_at > ?) + (SELECT count(*)"), key.recordedAt)
        .add(shown)
        .add(QStringLiteral(" AND recorded_at = ? AND local_id < ?)"), key.recordedAt, key.id);
    return count(m_connection, query);
}

Result<QStringList> EntryList::categories(int limit) const
{
    // From each category straight to the next: SQLite has no loose index scan of its own.
    const auto found = selectAll(
        m_connection,
        QStringLiteral("WITH RECURSIVE used (category) AS ("
                       "SELECT min(category) FROM entries WHERE account_id = @account AND deleted = 0 "
                       "UNION ALL SELECT (SELECT min(entries.category) FROM entries "
                       "WHERE account_id = @account AND deleted = 0 AND entries.category > used.category) "
                       "FROM used WHERE used.category IS NOT NULL) "
                       "SELECT category FROM used WHERE category <> '' ORDER BY "
                       "(SELECT max(recorded_at) FROM entries WHERE account_id = @account AND deleted = 0 "
                       "AND entries.category = used.category) DESC, category LIMIT @limit"),
        readText, m_account, limit);
    return found ? Result<QStringList>(QStringList(*found)) : Result<QStringList>(found.error());
}

} // namespace daybook
