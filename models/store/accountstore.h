#pragma once

#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/clock.h"
#include "models/domain/entrysource.h"
#include "models/domain/operation.h"
#include "models/domain/random.h"
#include "models/store/queuemetrics.h"

#include <QObject>

#include <memory>

namespace daybook {

/// The store of one account as the window and the CLI use it: every intent becomes an entry change and an
/// operation in one durable transaction. In the local-only account there are entries but no operations.
/// **Thread:** the one that made it (one SQLite connection of its own). **Owner:** AccountSession or the CLI.
class AccountStore final : public QObject, public EntrySource
{
    Q_OBJECT

public:
    /// Opens the store in \p databasePath (made and migrated when needed) for \p account, which must exist in
    /// it. \p clock and \p random must outlive the store.
    static Result<std::unique_ptr<AccountStore>> open(const QString &databasePath, AccountId account,
                                                      Clock &clock, Random &random);
    ~AccountStore() override;

    const Account &account() const;

    /// Makes an entry. When it returns, the entry is on the disk (a power cut cannot take it away). Refuses
    /// what checkFields() refuses; on any error nothing is written.
    Result<ClientEntryId> addEntry(const EntryFields &fields);
    /// Edits. Merges into the entry's last operation if that never left, else queues behind it. An edit that
    /// changes nothing queues nothing. NotFound where the entry is gone meanwhile.
    Result<void> editEntry(const EntryEdit &edit);
    /// Deletes. Over a create that never left, both vanish and nothing is sent. Of several, those that are
    /// gone meanwhile are passed over; a single one is NotFound. Many are deleted piece by piece, so that no
    /// other writer waits long: after an error some may be deleted.
    Result<void> deleteEntries(const QList<ClientEntryId> &ids);

    /// The refused operation of the entry goes out again as it is: permanent_failed -> pending, same
    /// operation id (the server does not remember refusals). Stale where nothing is refused any more.
    Result<void> retryChange(const ClientEntryId &id);
    /// Gives up the entry's refused or conflicting operation and all behind it; what is shown becomes the
    /// server's state again (an entry the server never had disappears, kept in the history). Refused while an
    /// attempt without an answer may have reached the server.
    Result<void> discardChange(const ClientEntryId &id);

    Result<Entry>
    entry(const ClientEntryId &id) const; ///< also a deleted one that still has unfinished operations
    Result<QList<Entry>> entriesAfter(const EntryFilter &filter, const std::optional<EntryKey> &after,
                                      int limit) const override;
    Result<QList<Entry>> entriesFrom(const EntryFilter &filter, qint64 offset, int limit) const override;
    Result<QList<Entry>> entriesById(const EntryFilter &filter,
                                     const QList<ClientEntryId> &ids) const override;
    Result<qint64> entryCount(const EntryFilter &filter) const override;
    Result<qint64> entriesBefore(const EntryFilter &filter, const EntryKey &key) const override;

    /// Those the person used before, most recent first.
    Result<QStringList> categories(int limit) const;
    Result<QList<Operation>> operations(const ClientEntryId &id) const; ///< in the order of intents
    Result<QList<Attempt>> attempts(const OperationId &id) const;       ///< in their order
    Result<QueueSummary> queueSummary() const;
    Result<QueueMetrics> metrics() const; ///< reads every operation and attempt

Q_SIGNALS:
    void entriesChanged(const QList<daybook::ClientEntryId> &ids);
    void operationQueued(); ///< or decided upon: there may be something to send

private:
    struct Private;
    explicit AccountStore(std::unique_ptr<Private> opened);
    template<typename Work>
    Result<void> save(const ClientEntryId &id, const Work &work);
    void announce(const QList<ClientEntryId> &ids);

    std::unique_ptr<Private> d;
};

} // namespace daybook
