#pragma once

#include "models/domain/result.h"
#include "sync/server/inbox.h"
#include "sync/server/transaction.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace daybook {

/// The database and its threads: one writer that commits all that has arrived as one group, and readers.
/// **Thread:** any; work runs on the storage's threads. **Ends:** the destructor finishes what was handed
/// over first.
class Storage
{
public:
    enum class Outcome {
        Durable,     ///< done, and on the disk where it wrote
        Unavailable, ///< the disk or a lock: nothing was done, later it may be
        Fault,       ///< a fault of this program in this work: nothing of it was done
    };
    struct Work
    {
        std::function<void(Transaction &)> run;
        std::function<void(Outcome)> finished; ///< on a thread of the storage; must not wait for it
    };

    /// Opens or makes the SQLite file \p path.
    static Result<std::unique_ptr<Storage>> open(const QString &path);
    ~Storage();
    Q_DISABLE_COPY_MOVE(Storage)

    void read(Work work) { m_reads.put(std::move(work)); }
    /// Behind all writes handed over before.
    void write(Work work) { m_writes.put(std::move(work)); }

    /// The same and wait for the end. Never on a thread of the storage.
    Outcome readNow(std::function<void(Transaction &)> run);
    Outcome writeNow(std::function<void(Transaction &)> run);

private:
    explicit Storage(const QString &path);

    void readAll();
    void writeAll();

    const QString m_path;
    Inbox<Work> m_reads;
    Inbox<Work> m_writes;
    std::vector<std::jthread> m_readers;
    std::jthread m_writer;
};

} // namespace daybook
