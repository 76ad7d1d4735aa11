#include "tests/bench/drain.h"

#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/queuemetrics.h"
#include "models/store/statement.h"
#include "models/store/transaction.h"
#include "tests/bench/filling.h"
#include "tests/bench/report.h"
#include "tests/support/memorytokenstore.h"

#include <utility>

namespace daybook {

Drain::Drain(DataFolder folder) : m_folder(std::move(folder))
{
    connect(&m_signIn, &SignIn::failed, this, [this](const Error &error) { Q_EMIT finished(error); });
    connect(&m_signIn, &SignIn::signedIn, this, &Drain::send);
}

void Drain::start(const QString &server, const QString &username, const QString &password)
{
    m_signIn.signIn(server, username, password);
}

void Drain::send(const SignIn::Outcome &outcome)
{
    if (const auto taken = takeAccount(outcome.account); !taken) {
        Q_EMIT finished(taken.error());
        return;
    }
    const auto place = std::make_shared<MemoryTokenStore::Place>();
    place->tokens = outcome.tokens;
    m_service = std::make_unique<SyncService>(
        SyncService::Configuration{m_folder.databasePath(),
                                   m_account.id,
                                   [place] { return std::make_unique<MemoryTokenStore>(place); },
                                   {}});
    connect(m_service.get(), &SyncService::idle, this, &Drain::stop);
    connect(m_service.get(), &SyncService::storeFailed, this,
            [this](const Error &error) { Q_EMIT finished(error); });
    connect(m_service.get(), &SyncService::stopped, this, [this] { Q_EMIT finished(measured()); });
    m_startedAt = m_clock.now();
    m_timer.start();
    m_service->start();
}

Result<void> Drain::takeAccount(const Account &signedIn)
{
    const auto connection = Connection::open(m_folder.databasePath());
    if (!connection)
        return connection.error();
    AccountRepository accounts(**connection);
    const auto current = accounts.current();
    if (!current)
        return current.error();
    auto transaction = Transaction::begin(**connection);
    if (!transaction)
        return transaction.error();
    // Nothing of this account was ever sent anywhere, so it may still become that of any server.
    if (isWithoutServer(*current))
        if (const auto moved = change(
                **connection,
                QStringLiteral(
                    "UPDATE accounts SET server_origin = ?, server_account_id = ? WHERE account_id = ?"),
                signedIn.serverOrigin, signedIn.serverAccountId, current->id);
            !moved)
            return moved.error();
    const auto account = accounts.signIn(*transaction, signedIn);
    if (!account)
        return account.error();
    m_account = *account;
    return transaction->commit();
}

void Drain::stop()
{
    m_milliseconds = millisecondsOf(m_timer);
    m_service->stop();
}

/// One duration for each operation that was confirmed: that of the attempt which was.
Result<QByteArray> Drain::measured() const
{
    const auto connection = Connection::open(m_folder.databasePath());
    if (!connection)
        return connection.error();
    const auto left = queueSummary(**connection, m_account.id, m_clock.now());
    if (!left)
        return left.error();
    if (left->unfinished() > 0)
        return Error{ErrorKind::Network,
                     QStringLiteral("%1 operations are still not on the server (%2)")
                         .arg(QString::number(left->unfinished()), m_service->facts().lastErrorDetail)};
    const auto attempts = selectAll(**connection, QStringLiteral(R"(SELECT finished_at - started_at
FROM operation_attempts WHERE account_id = ? AND result = ? AND started_at >= ?)"),
                                    readNumber, m_account.id, AttemptResult::Confirmed, m_startedAt);
    if (!attempts)
        return attempts.error();
    Durations durations;
    for (const qint64 milliseconds : *attempts)
        durations.add(static_cast<double>(milliseconds));
    return toJsonLine(attempts->size(), m_milliseconds, durations);
}

} // namespace daybook
