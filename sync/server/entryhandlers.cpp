#include "sync/server/entryhandlers.h"

#include "models/domain/crashpoint.h"
#include "sync/protocol/endpoints.h"
#include "sync/protocol/fingerprint.h"
#include "sync/server/reply.h"

#include <QUuid>

namespace daybook {
namespace {

Decision accepted(int status, const StoredEntry &entry)
{
    ServerReply reply = jsonReply(status, encodeEntry(entry.resource));
    if (status == 201)
        reply.headers.emplaceBack("Location", path::entry(entry.resource.clientEntryId));
    reply.headers.emplaceBack("ETag", entityTag(entry.resource.version));
    return {reply, entry.resource.entryId, entry.resource.version};
}

Decision deleted(const StoredEntry &tombstone)
{
    return {{204, {}, {{"ETag", entityTag(tombstone.resource.version)}}, {}},
            tombstone.resource.entryId,
            tombstone.resource.version};
}

Decision refused(ProblemCode code, const char *detail, const std::optional<StoredEntry> &entry)
{
    Problem problem{code, QString::fromLatin1(detail)};
    if (!entry)
        return {problemReply(problem), {}, 0};
    problem.current = currentEntry(*entry);
    return {problemReply(problem), entry->resource.entryId, entry->resource.version};
}

/// What a create or an update asks for is the content it has now, however it is spelled.
bool hasContentOf(const StoredEntry &entry, const EntryOperation &operation)
{
    return fingerprint(operation.type, operation.entryId, &entry.resource.fields) == operation.fingerprint;
}

void write(EntryLog &log, const StoredEntry &entry)
{
    log.write(entry);
    crashPoint(CrashPoint::ServerEntryWritten);
}

Decision createEntry(EntryLog &log, const std::optional<StoredEntry> &existing,
                     const EntryOperation &operation, Instant now)
{
    if (existing && !existing->deleted && hasContentOf(*existing, operation))
        return accepted(200, *existing);
    if (existing)
        return refuseOperation(operation.type, existing);
    const StoredEntry entry{.resource = {.entryId = QUuid::createUuid().toString(QUuid::WithoutBraces),
                                         .clientEntryId = operation.entryId,
                                         .version = 1,
                                         .fields = operation.fields,
                                         .createdAt = now,
                                         .updatedAt = now},
                            .lastOperationId = operation.id};
    write(log, entry);
    return accepted(201, entry);
}

/// The state that follows \p entry.
StoredEntry successor(StoredEntry entry, const EntryOperation &operation, Instant now)
{
    entry.resource.version += 1;
    entry.resource.updatedAt = now;
    entry.lastOperationId = operation.id;
    return entry;
}

/// With the tombstone's version it brings a deleted entry back.
Decision updateEntry(EntryLog &log, const StoredEntry &existing, const EntryOperation &operation, Instant now)
{
    StoredEntry entry = successor(existing, operation, now);
    entry.deleted = false;
    entry.resource.fields = operation.fields;
    write(log, entry);
    return accepted(200, entry);
}

Decision deleteEntry(EntryLog &log, const StoredEntry &existing, const EntryOperation &operation, Instant now)
{
    StoredEntry tombstone = successor(existing, operation, now);
    tombstone.deleted = true;
    tombstone.resource.fields = {}; // what was deleted is not kept
    write(log, tombstone);
    return deleted(tombstone);
}

} // namespace

std::optional<Decision> executeOperation(EntryLog &log, const EntryOperation &operation, Instant now)
{
    const std::optional<StoredEntry> existing = log.find(operation.entryId);
    const bool isDelete = operation.type == OperationType::DeleteEntry;
    if (existing && existing->lastOperationId == operation.id) {
        if (existing->deleted != isDelete || (!isDelete && !hasContentOf(*existing, operation)))
            return std::nullopt;
        return confirmOperation(*existing);
    }
    if (operation.type == OperationType::CreateEntry)
        return createEntry(log, existing, operation, now);
    const bool current =
        existing && existing->resource.version == std::get<qint64>(operation.expectedVersion);
    if (!current || (isDelete && existing->deleted))
        return refuseOperation(operation.type, existing);
    return isDelete ? deleteEntry(log, *existing, operation, now)
                    : updateEntry(log, *existing, operation, now);
}

Decision confirmOperation(const StoredEntry &entry)
{
    return entry.deleted ? deleted(entry) : accepted(200, entry);
}

Decision refuseOperation(OperationType type, const std::optional<StoredEntry> &entry)
{
    if (!entry)
        return refused(ProblemCode::EntryNotFound, "There is no such entry.", entry);
    if (entry->deleted)
        return refused(ProblemCode::EntryDeleted, "The entry has been deleted.", entry);
    if (type == OperationType::CreateEntry)
        return refused(ProblemCode::ClientEntryIdTaken, "There is an entry with this id and other content.",
                       entry);
    return refused(ProblemCode::VersionConflict, "The entry has changed since that version.", entry);
}

ServerReply readEntry(const EntryLog &log, const ClientEntryId &id)
{
    const std::optional<StoredEntry> entry = log.find(id);
    if (!entry || entry->deleted)
        return refuseOperation(OperationType::UpdateEntry, entry).reply;
    return accepted(200, *entry).reply;
}

} // namespace daybook
