#pragma once

#include "models/domain/decimalvalue.h"
#include "models/domain/ids.h"
#include "models/domain/recordedat.h"
#include "models/domain/syncstate.h"
#include "models/domain/text.h"

#include <optional>

namespace daybook {

/// What a person records: the fields that can be edited.
struct EntryFields
{
    DecimalValue value;
    RecordedAt recordedAt;
    QString category; ///< 0 to 64 code points
    QString note;     ///< 0 to 2000 code points, may hold line breaks

    bool operator==(const EntryFields &) const = default;
};

/// Category and note within their limits; value and time cannot be out of theirs.
inline Result<void> checkFields(const EntryFields &fields)
{
    if (auto checked = checkText(fields.category, maximumCategoryCodePoints, QLatin1StringView("category"));
        !checked)
        return checked;
    return checkText(fields.note, maximumNoteCodePoints, QLatin1StringView("note"));
}

/// The last state of an entry that the server is known to have had.
struct ServerState
{
    QString entryId; ///< the server's own id; empty where only a tombstone was seen
    qint64 version = 0;
    EntryFields fields;
    bool deleted = false;

    bool operator==(const ServerState &) const = default;
};

/// An entry as the person sees it: server state plus unfinished operations.
struct Entry
{
    ClientEntryId id;
    EntryFields fields;
    bool deleted = false;
    std::optional<ServerState> server; ///< empty until the server confirmed it once
    SyncStatus sync;

    bool operator==(const Entry &) const = default;
};

/// An edit as the editor hands it over: what it started from and what the person made of it.
struct EntryEdit
{
    ClientEntryId id;
    EntryFields base;                  ///< the values the editor was opened with
    std::optional<qint64> baseVersion; ///< the server version shown then; empty while the server had none
    EntryFields fields;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::EntryFields)
Q_DECLARE_METATYPE(daybook::Entry)
Q_DECLARE_METATYPE(daybook::EntryEdit)
