#pragma once

#include "models/domain/entrysource.h"

#include <QSet>

#include <algorithm>
#include <set>

namespace daybook {

/// A list of any length that takes no memory: entry number n is made when it is asked for, one a minute,
/// newest first. Entries can be put over it, changed and taken away; what was asked for is counted.
class SyntheticEntries final : public EntrySource
{
public:
    explicit SyntheticEntries(int count) : m_count(count) {}

    static ClientEntryId idOf(int number)
    {
        return ClientEntryId(QUuid(static_cast<uint>(number + 1), 0, 0x4000, 0x80, 0, 0, 0, 0, 0, 0, 0));
    }

    /// Entry \p number as it was made; row \p number of the untouched list.
    static Entry entry(int number)
    {
        Entry made;
        made.id = idOf(number);
        made.fields.value = *DecimalValue::fromThousandths(1000LL * number);
        made.fields.recordedAt = {newest() - std::chrono::minutes(number), {}};
        made.fields.category = QStringLiteral("Weight (kg)");
        made.fields.note = QStringLiteral("note %1").arg(number);
        made.sync.state = SyncState::Waiting;
        return made;
    }

    static Instant newest() { return fromEpochMilliseconds(1'768'291'200'000); } // 2026-01-13T08:00:00Z

    /// Adds \p entry, or replaces the one with its id.
    void put(const Entry &entry)
    {
        remove(entry.id);
        m_own.insert(ownBefore(keyOf(entry)), entry);
    }

    void remove(const ClientEntryId &id)
    {
        m_own.removeIf([&id](const Entry &entry) { return entry.id == id; });
        if (const int number = numberOf(id); number >= 0)
            m_hidden.insert(number);
    }

    Result<QList<Entry>> entriesAfter(const EntryFilter &filter, const std::optional<EntryKey> &after,
                                      int limit) const override
    {
        const auto above = after ? entriesBefore(filter, *after) : Result<qint64>(0);
        if (!above)
            return above.error();
        return read(after ? *above + 1 : 0, limit);
    }

    Result<QList<Entry>> entriesFrom(const EntryFilter &, qint64 offset, int limit) const override
    {
        ++jumps;
        return read(offset, limit);
    }

    Result<QList<Entry>> entriesById(const EntryFilter &, const QList<ClientEntryId> &ids) const override
    {
        if (failing)
            return Error{ErrorKind::StoreUnavailable, QStringLiteral("made to fail")};
        QList<Entry> found;
        for (const ClientEntryId &id : ids) {
            const int number = numberOf(id);
            if (number >= 0 && !m_hidden.contains(number))
                found.append(entry(number));
        }
        const QSet<ClientEntryId> wanted(ids.begin(), ids.end());
        std::copy_if(m_own.begin(), m_own.end(), std::back_inserter(found),
                     [&wanted](const Entry &entry) { return wanted.contains(entry.id); });
        return found;
    }

    Result<qint64> entryCount(const EntryFilter &) const override
    {
        ++counts;
        if (failing)
            return Error{ErrorKind::StoreUnavailable, QStringLiteral("made to fail")};
        return m_count - static_cast<qint64>(m_hidden.size()) + m_own.size();
    }

    Result<qint64> entriesBefore(const EntryFilter &, const EntryKey &key) const override
    {
        const auto minutes = std::chrono::ceil<std::chrono::minutes>(newest() - key.recordedAt).count();
        qint64 numbered = std::clamp<qint64>(minutes, 0, m_count);
        if (numbered < m_count && comesBefore(keyOf(entry(static_cast<int>(numbered))), key))
            ++numbered;
        const auto hidden = std::distance(m_hidden.begin(), m_hidden.lower_bound(static_cast<int>(numbered)));
        return numbered - hidden + ownBefore(key);
    }

    mutable qint64 fetched = 0; ///< entries handed out
    mutable int jumps = 0;      ///< reads by position
    mutable int counts = 0;
    bool failing = false;

private:
    qint64 ownBefore(const EntryKey &key) const
    {
        const auto at =
            std::lower_bound(m_own.begin(), m_own.end(), key, [](const Entry &entry, const EntryKey &k) {
                return comesBefore(keyOf(entry), k);
            });
        return at - m_own.begin();
    }

    int numberOf(const ClientEntryId &id) const
    {
        const qint64 number = static_cast<qint64>(id.uuid().data1) - 1;
        return number >= 0 && number < m_count && idOf(static_cast<int>(number)) == id
                   ? static_cast<int>(number)
                   : -1;
    }

    /// Numbered and own entries together. Only those that can stand in the wanted rows are looked at.
    Result<QList<Entry>> read(qint64 offset, int limit) const
    {
        if (failing)
            return Error{ErrorKind::StoreUnavailable, QStringLiteral("made to fail")};
        QList<Entry> candidates = m_own;
        const auto shift = m_own.size() + static_cast<qint64>(m_hidden.size());
        for (qint64 number = std::max<qint64>(0, offset - shift); number < offset + limit + shift; ++number) {
            if (number < m_count && !m_hidden.contains(static_cast<int>(number)))
                candidates.append(entry(static_cast<int>(number)));
        }
        candidates.removeIf([&](const Entry &candidate) {
            const qint64 row = *entriesBefore({}, keyOf(candidate));
            return row < offset || row >= offset + limit;
        });
        std::sort(candidates.begin(), candidates.end(),
                  [](const Entry &a, const Entry &b) { return comesBefore(keyOf(a), keyOf(b)); });
        fetched += candidates.size();
        return candidates;
    }

    int m_count;
    QList<Entry> m_own; ///< in the order of the list
    std::set<int> m_hidden;
};

} // namespace daybook
