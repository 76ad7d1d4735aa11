#pragma once

#include "sync/server/entryhandlers.h"

namespace daybook {

/// Lets every operation of an account happen at most once: claims its record, has it executed and stores the
/// response, all within the caller's transaction; whoever comes with a known operation id gets what was
/// stored. Nothing committed means nothing remembered.
class IdempotencyGate
{
public:
    struct Retention
    {
        std::chrono::seconds response{};  ///< a repeat gets the stored response
        std::chrono::seconds tombstone{}; ///< a repeat is still known
    };

    IdempotencyGate(Transaction &transaction, qint64 actorId, Instant now, Retention retention);

    ServerReply execute(const EntryOperation &operation);
    /// What became of the operation: 200 or 404.
    ServerReply receipt(const QByteArray &operationId);

private:
    struct Record
    {
        OperationType type = OperationType::CreateEntry;
        QByteArray fingerprint;
        ClientEntryId entryId;
        ServerReply response; ///< content type among the headers
        qint64 version = 0;
        Instant completedAt;
        Instant responseExpiresAt;
    };

    bool claim(const EntryOperation &operation);
    std::optional<Record> find(const QByteArray &operationId);
    void forget(const QByteArray &operationId);
    void complete(const EntryOperation &operation, const Decision &decision);
    ServerReply repeat(const EntryOperation &operation, const Record &record);
    ServerReply answerLate(const EntryOperation &operation, const Record &record);

    Transaction &m_transaction;
    const qint64 m_actorId;
    const Instant m_now;
    const Retention m_retention;
};

} // namespace daybook
