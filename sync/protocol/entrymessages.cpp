#include "sync/protocol/entrymembers.h"
#include "sync/protocol/jsonwriter.h"
#include "sync/protocol/memberreader.h"
#include "sync/protocol/messages.h"

#include <algorithm>
#include <array>

namespace daybook {

namespace {

constexpr QLatin1StringView schemaVersion("schemaVersion");
constexpr QLatin1StringView entryId("entryId");
constexpr QLatin1StringView clientEntryId("clientEntryId");
constexpr QLatin1StringView version("version");
constexpr QLatin1StringView createdAt("createdAt");
constexpr QLatin1StringView updatedAt("updatedAt");
constexpr QLatin1StringView status("status");
constexpr QLatin1StringView state("state");
constexpr QLatin1StringView completed("completed");
constexpr QLatin1StringView operationType("operationType");
constexpr QLatin1StringView completedAt("completedAt");
constexpr QLatin1StringView responseExpiresAt("responseExpiresAt");

OperationType readOperationType(MemberReader &members)
{
    constexpr std::array types = {OperationType::CreateEntry, OperationType::UpdateEntry,
                                  OperationType::DeleteEntry};
    const QString text = members.text(operationType);
    const auto *type = std::find_if(types.begin(), types.end(),
                                    [&text](OperationType candidate) { return name(candidate) == text; });
    if (type != types.end())
        return *type;
    members.refuse(operationType, QStringLiteral("is not known"));
    return types.front();
}

} // namespace

QByteArray encodeCreateEntry(const ClientEntryId &id, const EntryFields &fields)
{
    JsonWriter writer;
    writer.number(schemaVersion, currentPayloadVersion);
    writer.text(clientEntryId, id.toString());
    writeFields(writer, fields);
    return writer.object();
}

QByteArray encodeUpdateEntry(const EntryFields &fields)
{
    JsonWriter writer;
    writer.number(schemaVersion, currentPayloadVersion);
    writeFields(writer, fields);
    return writer.object();
}

Decoded<EntryRequest> decodeCreateEntry(const QByteArray &body)
{
    return decodeRequest(body, [](MemberReader &members) {
        members.schemaVersion(currentPayloadVersion);
        const ClientEntryId id = members.entryId(clientEntryId);
        return EntryRequest{id, readFields(members)};
    });
}

Decoded<EntryRequest> decodeUpdateEntry(const QByteArray &body)
{
    return decodeRequest(body, [](MemberReader &members) {
        members.schemaVersion(currentPayloadVersion);
        return EntryRequest{{}, readFields(members)};
    });
}

QByteArray encodeEntry(const EntryResource &entry)
{
    JsonWriter writer;
    writer.text(entryId, entry.entryId);
    writer.text(clientEntryId, entry.clientEntryId.toString());
    writer.number(version, entry.version);
    writeFields(writer, entry.fields);
    writer.time(createdAt, entry.createdAt);
    writer.time(updatedAt, entry.updatedAt);
    return writer.object();
}

std::optional<EntryResource> decodeEntry(const QByteArray &body)
{
    return decodeReply(body, [](MemberReader &members) {
        EntryResource entry;
        entry.entryId = members.text(entryId);
        entry.clientEntryId = members.entryId(clientEntryId);
        entry.version = members.integer(version, 1);
        entry.fields = readFields(members);
        entry.createdAt = members.time(createdAt).instant;
        entry.updatedAt = members.time(updatedAt).instant;
        return entry;
    });
}

QByteArray encodeReceipt(const Receipt &receipt)
{
    JsonWriter writer;
    writer.text(state, completed);
    writer.number(status, receipt.status);
    writer.text(operationType, name(receipt.operationType));
    writer.text(clientEntryId, receipt.clientEntryId.toString());
    writer.number(version, receipt.version);
    writer.time(completedAt, receipt.completedAt);
    writer.time(responseExpiresAt, receipt.responseExpiresAt);
    return writer.object();
}

std::optional<Receipt> decodeReceipt(const QByteArray &body)
{
    return decodeReply(body, [](MemberReader &members) {
        if (members.text(state) != completed)
            members.refuse(state, QStringLiteral("is not known"));
        Receipt receipt;
        receipt.status = static_cast<int>(members.integer(status, 100, 599));
        receipt.operationType = readOperationType(members);
        receipt.clientEntryId = members.entryId(clientEntryId);
        receipt.version = members.integer(version);
        receipt.completedAt = members.time(completedAt).instant;
        receipt.responseExpiresAt = members.time(responseExpiresAt).instant;
        return receipt;
    });
}

} // namespace daybook
