#include "models/domain/account.h"
#include "sync/protocol/jsonwriter.h"
#include "sync/protocol/memberreader.h"
#include "sync/protocol/messages.h"

#include <algorithm>

namespace daybook {

namespace {

constexpr QLatin1StringView accountId("accountId");
constexpr QLatin1StringView username("username");
constexpr QLatin1StringView password("password");
constexpr QLatin1StringView displayName("displayName");
constexpr QLatin1StringView deviceName("deviceName");
constexpr QLatin1StringView accessToken("accessToken");
constexpr QLatin1StringView tokenType("tokenType");
constexpr QLatin1StringView bearer("Bearer");
constexpr QLatin1StringView expiresIn("expiresIn");
constexpr QLatin1StringView refreshToken("refreshToken");
constexpr QLatin1StringView account("account");

/// Far longer than any token of a server; bounds what is hashed.
constexpr int maximumTokenCodePoints = 512;

AccountResource readAccount(MemberReader &members)
{
    return {members.text(accountId), members.text(username), members.optionalText(displayName)};
}

SessionResource readSession(MemberReader &members)
{
    SessionResource session;
    session.accessToken = members.text(accessToken);
    if (members.text(tokenType).compare(bearer, Qt::CaseInsensitive) != 0)
        members.refuse(tokenType, QStringLiteral("must be Bearer"));
    session.expiresIn = std::chrono::seconds(members.integer(expiresIn));
    session.refreshToken = members.text(refreshToken);
    if (const JsonValue *object = members.object(account)) {
        MemberReader reader(*object);
        session.account = readAccount(reader);
        if (!reader.ok())
            members.refuse(account, QStringLiteral("is not an account"));
    }
    return session;
}

} // namespace

Result<void> checkUsername(const QString &name)
{
    if (auto checked = checkText(name, maximumUsernameCodePoints, QLatin1StringView("user name")); !checked)
        return checked;
    const bool blank = std::any_of(name.begin(), name.end(), [](QChar c) {
        return c.isSpace() || c.category() == QChar::Other_Control;
    });
    if (name.isEmpty() || blank)
        return Error{
            ErrorKind::InvalidText,
            QStringLiteral("the user name must not be empty or hold white space or control characters")};
    return {};
}

Result<void> checkNewPassword(const QString &text)
{
    if (text.toUcs4().size() < minimumPasswordCodePoints)
        return Error{
            ErrorKind::InvalidText,
            QStringLiteral("the password has fewer than %1 characters").arg(minimumPasswordCodePoints)};
    return checkText(text, maximumPasswordCodePoints, password);
}

QByteArray encodeAccount(const AccountResource &resource)
{
    return JsonWriter()
        .text(accountId, resource.accountId)
        .text(username, resource.username)
        .text(displayName, resource.displayName)
        .object();
}

std::optional<AccountResource> decodeAccount(const QByteArray &body)
{
    return decodeReply(body, readAccount);
}

QByteArray encodeSignUp(const SignUpRequest &request)
{
    return JsonWriter()
        .text(username, request.username)
        .text(password, request.password)
        .text(displayName, request.displayName)
        .object();
}

Decoded<SignUpRequest> decodeSignUp(const QByteArray &body)
{
    return decodeRequest(body, [](MemberReader &members) {
        return SignUpRequest{members.text(username, checkUsername), members.text(password, checkNewPassword),
                             members.optionalText(displayName, maximumDisplayNameCodePoints)};
    });
}

QByteArray encodeSignIn(const SignInRequest &request)
{
    return JsonWriter()
        .text(username, request.username)
        .text(password, request.password)
        .text(deviceName, request.deviceName)
        .object();
}

Decoded<SignInRequest> decodeSignIn(const QByteArray &body)
{
    return decodeRequest(body, [](MemberReader &members) {
        return SignInRequest{members.text(username, maximumUsernameCodePoints),
                             members.text(password, maximumPasswordCodePoints),
                             members.optionalText(deviceName, maximumDeviceNameCodePoints)};
    });
}

QByteArray encodeRefresh(const QString &token) { return JsonWriter().text(refreshToken, token).object(); }

Decoded<QString> decodeRefresh(const QByteArray &body)
{
    return decodeRequest(
        body, [](MemberReader &members) { return members.text(refreshToken, maximumTokenCodePoints); });
}

QByteArray encodeSession(const SessionResource &session)
{
    return JsonWriter()
        .text(accessToken, session.accessToken)
        .text(tokenType, bearer)
        .number(expiresIn, session.expiresIn.count())
        .text(refreshToken, session.refreshToken)
        .json(account, encodeAccount(session.account))
        .object();
}

std::optional<SessionResource> decodeSession(const QByteArray &body)
{
    return decodeReply(body, readSession);
}

} // namespace daybook
