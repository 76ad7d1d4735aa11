#include "sync/protocol/jsonwriter.h"
#include "sync/protocol/memberreader.h"
#include "sync/protocol/messages.h"

namespace daybook {

namespace {

constexpr QLatin1StringView schemaVersions("schemaVersions");
constexpr QLatin1StringView serverTime("serverTime");
constexpr QLatin1StringView registrationOpen("registrationOpen");
constexpr QLatin1StringView responseRetention("responseRetentionSeconds");
constexpr QLatin1StringView tombstoneRetention("tombstoneRetentionSeconds");
constexpr QLatin1StringView maximumBody("maximumBodyBytes");
constexpr QLatin1StringView maximumCategory("maximumCategoryCodePoints");
constexpr QLatin1StringView maximumNote("maximumNoteCodePoints");

QByteArray versionArray(const QList<int> &versions)
{
    QList<QByteArray> elements;
    for (const int version : versions)
        elements.append(QByteArray::number(version));
    return jsonArray(elements);
}

} // namespace

QByteArray encodeConfig(const ServerConfig &config)
{
    return JsonWriter()
        .json(schemaVersions, versionArray(config.schemaVersions))
        .time(serverTime, config.serverTime)
        .flag(registrationOpen, config.registrationOpen)
        .number(responseRetention, config.responseRetention.count())
        .number(tombstoneRetention, config.tombstoneRetention.count())
        .number(maximumBody, config.maximumBodyBytes)
        .number(maximumCategory, config.maximumCategory)
        .number(maximumNote, config.maximumNote)
        .object();
}

std::optional<ServerConfig> decodeConfig(const QByteArray &body)
{
    return decodeReply(body, [](MemberReader &members) {
        ServerConfig config;
        config.schemaVersions = members.integers(schemaVersions);
        config.serverTime = members.time(serverTime).instant;
        config.registrationOpen = members.flag(registrationOpen);
        config.responseRetention = std::chrono::seconds(members.integer(responseRetention));
        config.tombstoneRetention = std::chrono::seconds(members.integer(tombstoneRetention));
        config.maximumBodyBytes = members.integer(maximumBody);
        config.maximumCategory = static_cast<int>(members.integer(maximumCategory, 0, anyLength));
        config.maximumNote = static_cast<int>(members.integer(maximumNote, 0, anyLength));
        return config;
    });
}

} // namespace daybook
