#include "sync/server/transaction.h"

namespace daybook {
namespace {

/// The driver stores a null string as NULL; here it is an empty one. NULL is an empty QVariant. SQLite takes
/// one byte order mark off the UTF-16 it is given: text that begins like one gets it to lose.
QVariant bindable(const QVariant &value)
{
    if (value.metaType().id() != QMetaType::QString)
        return value;
    const QString text = value.toString();
    if (text.isNull())
        return QStringLiteral("");
    return text.startsWith(QChar(0xFEFF)) || text.startsWith(QChar(0xFFFE)) ? QChar(0xFEFF) + text : text;
}

} // namespace

Rows::~Rows()
{
    if (m_query != nullptr)
        m_query->finish();
}

bool Rows::next()
{
    if (m_query == nullptr)
        return false;
    if (m_query->next())
        return true;
    if (m_query->lastError().isValid())
        m_transaction.spoil("reading rows", m_query->lastError());
    return false;
}

Rows Transaction::execute(const char *sql, std::initializer_list<QVariant> values)
{
    if (m_spoiled)
        return {*this, nullptr};
    QSqlError error;
    QSqlQuery *query = m_database.prepared(sql, error);
    if (query == nullptr) {
        spoil(sql, error);
        return {*this, nullptr};
    }
    int position = 0;
    for (const QVariant &value : values)
        query->bindValue(position++, bindable(value));
    if (!query->exec()) {
        spoil(sql, query->lastError());
        query->finish();
        return {*this, nullptr};
    }
    return {*this, query};
}

void Transaction::spoil(const char *sql, const QSqlError &error)
{
    logFailure(sql, error);
    m_spoiled = true;
    m_storageOut = meansStorageIsOut(error);
}

} // namespace daybook
