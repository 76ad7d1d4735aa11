#include "sync/server/service.h"

#include "models/domain/crashpoint.h"
#include "models/domain/logging.h"
#include "sync/server/accounts.h"
#include "sync/server/idempotencygate.h"
#include "sync/server/reply.h"
#include "sync/server/router.h"
#include "sync/server/secrets.h"
#include "sync/server/sessions.h"
#include "sync/server/storage.h"

#include <atomic>

namespace daybook {
namespace {

/// One thread checks some fifteen passwords a second: whoever comes behind so many waits too long.
constexpr std::size_t maximumPasswordsWaiting = 64;

using Handler = std::function<ServerReply(Transaction &)>;
using ActorHandler = std::function<ServerReply(Transaction &, const Actor &)>;

/// The message in a JSON body, or what is wrong with it.
template<typename T>
Decoded<T> readJson(const ServerRequest &request, Decoded<T> (*decode)(const QByteArray &))
{
    if (const auto refused = checkJsonContent(request))
        return *refused;
    return decode(request.body);
}

/// The work whose reply goes to \p done when the transaction has ended.
Storage::Work workFor(Handler handler, ReplyHandler done)
{
    const auto reply = std::make_shared<ServerReply>();
    return {
        [reply, handler = std::move(handler)](Transaction &transaction) { *reply = handler(transaction); },
        [reply, done = std::move(done)](Storage::Outcome outcome) {
            done(outcome == Storage::Outcome::Durable ? std::move(*reply) : notDone(outcome));
        }};
}

ServerReply shuttingDown()
{
    return problemReply({ProblemCode::StorageUnavailable, QStringLiteral("The server is shutting down.")});
}

ServerReply stateReply(const char *state)
{
    return jsonReply(200, QByteArray("{\"status\":\"") + state + "\"}");
}

/// The first member that is at fault, or the problem as a whole.
QString sentence(const Problem &problem)
{
    return problem.members.isEmpty() ? problem.detail : problem.members.first().detail;
}

Result<void> outcomeOf(const ServerReply &reply)
{
    if (reply.status < 300)
        return {};
    const auto problem = decodeProblem(reply.body, reply.status);
    return Error{ErrorKind::Refused, problem ? problem->detail : QStringLiteral("The server refused it.")};
}

} // namespace

struct Service::Private
{
    Private(const ServiceOptions &serviceOptions, const Clock &serviceClock, std::unique_ptr<Storage> opened);
    ~Private();

    /// Runs \p handler with the actor of the request's token, or answers 401 or 403.
    Handler authenticated(const ServerRequest &request, AccountHeader need, ActorHandler handler) const;
    void operate(OperationType type, const ClientEntryId &pathId, const ServerRequest &request,
                 ReplyHandler done);
    void readEntry(const ClientEntryId &id, const ServerRequest &request, ReplyHandler done);
    void readReceipt(const ServerRequest &request, ReplyHandler done);
    void signUp(const ServerRequest &request, ReplyHandler done);
    void signIn(const ServerRequest &request, ReplyHandler done);
    void refresh(const ServerRequest &request, ReplyHandler done);
    void signOut(const ServerRequest &request, ReplyHandler done);
    void answerReady(ReplyHandler done);
    void checkPassword(std::function<ServerReply()> check, ReplyHandler done);
    ServerReply readConfig() const;

    Sessions sessions(Transaction &transaction) const
    {
        return {transaction, clock.now(), options.accessTokenLifetime};
    }
    IdempotencyGate gate(Transaction &transaction, const Actor &actor) const
    {
        return {transaction, actor.id, clock.now(), {options.responseRetention, options.tombstoneRetention}};
    }

    const ServiceOptions options;
    const Clock &clock;
    std::unique_ptr<Storage> storage;
    Accounts accounts;
    std::atomic<bool> draining = false;
    struct PasswordWork
    {
        std::function<ServerReply()> check;
        ReplyHandler done;
    };
    Inbox<PasswordWork> passwordWork{maximumPasswordsWaiting};
    std::jthread passwordThread;
};

Service::Private::Private(const ServiceOptions &serviceOptions, const Clock &serviceClock,
                          std::unique_ptr<Storage> opened)
    : options(serviceOptions),
      clock(serviceClock),
      storage(std::move(opened)),
      accounts(*storage, clock, options.accessTokenLifetime),
      passwordThread([this] {
          for (auto work = passwordWork.take(1); !work.empty(); work = passwordWork.take(1))
              work.front().done(work.front().check());
      })
{
}

Service::Private::~Private()
{
    passwordWork.close();
    for (const PasswordWork &left : passwordWork.take(maximumPasswordsWaiting))
        left.done(shuttingDown());
    passwordThread.join(); // before the storage goes, which it uses
}

Handler Service::Private::authenticated(const ServerRequest &request, AccountHeader need,
                                        ActorHandler handler) const
{
    return [this, request, need, handler = std::move(handler)](Transaction &transaction) {
        const Decoded<Actor> actor = sessions(transaction).authenticate(request);
        if (const auto *problem = std::get_if<Problem>(&actor))
            return problemReply(*problem);
        const auto &known = std::get<Actor>(actor);
        if (const auto problem = checkAccount(request, known, need))
            return problemReply(*problem);
        return handler(transaction, known);
    };
}

/// The request is read here, on the caller's thread; who asks comes first all the same, so that a stranger
/// learns nothing from the other errors.
void Service::Private::operate(OperationType type, const ClientEntryId &pathId, const ServerRequest &request,
                               ReplyHandler done)
{
    Decoded<EntryOperation> read = readEntryOperation(type, pathId, request);
    if (const auto *problem = std::get_if<Problem>(&read)) {
        const auto refuse = [problem = *problem](Transaction &, const Actor &) {
            return problemReply(problem);
        };
        storage->read(workFor(authenticated(request, AccountHeader::Required, refuse), std::move(done)));
        return;
    }
    const auto operation = std::make_shared<EntryOperation>(std::get<EntryOperation>(std::move(read)));
    const auto execute = [this, operation](Transaction &transaction, const Actor &actor) {
        return gate(transaction, actor).execute(*operation);
    };
    const auto committed = [operation, done = std::move(done)](ServerReply reply) {
        crashPoint(CrashPoint::ServerCommitted);
        qCDebug(lcServer) << name(operation->type) << reply.status << "key" << shortHash(operation->id);
        done(std::move(reply));
    };
    storage->write(workFor(authenticated(request, AccountHeader::Required, execute), committed));
}

void Service::Private::readEntry(const ClientEntryId &id, const ServerRequest &request, ReplyHandler done)
{
    const auto find = [id](Transaction &transaction, const Actor &actor) {
        return daybook::readEntry(EntryLog(transaction, actor.id), id);
    };
    storage->read(workFor(authenticated(request, AccountHeader::Optional, find), std::move(done)));
}

/// Asked behind all writes that have arrived: an operation still on its way to the disk is not unknown.
void Service::Private::readReceipt(const ServerRequest &request, ReplyHandler done)
{
    const Decoded<QByteArray> key = readIdempotencyKey(request);
    const auto find = [this, key](Transaction &transaction, const Actor &actor) {
        if (const auto *problem = std::get_if<Problem>(&key))
            return problemReply(*problem);
        return gate(transaction, actor).receipt(std::get<QByteArray>(key));
    };
    storage->write(workFor(authenticated(request, AccountHeader::Optional, find), std::move(done)));
}

void Service::Private::signUp(const ServerRequest &request, ReplyHandler done)
{
    if (!options.registrationOpen)
        return done(problemReply({ProblemCode::RegistrationClosed,
                                  QStringLiteral("The operator of this server makes the accounts.")}));
    const Decoded<SignUpRequest> read = readJson(request, decodeSignUp);
    if (const auto *problem = std::get_if<Problem>(&read))
        return done(problemReply(*problem));
    checkPassword([this, asked = std::get<SignUpRequest>(read)] { return accounts.signUp(asked); },
                  std::move(done));
}

void Service::Private::signIn(const ServerRequest &request, ReplyHandler done)
{
    const Decoded<SignInRequest> read = readJson(request, decodeSignIn);
    if (const auto *problem = std::get_if<Problem>(&read))
        return done(problemReply(*problem));
    checkPassword([this, asked = std::get<SignInRequest>(read)] { return accounts.signIn(asked); },
                  std::move(done));
}

void Service::Private::checkPassword(std::function<ServerReply()> check, ReplyHandler done)
{
    PasswordWork work{std::move(check), std::move(done)};
    if (!passwordWork.put(std::move(work)))
        work.done(problemReply(
            {ProblemCode::RateLimited, QStringLiteral("Too many are signing in at the moment.")}));
}

void Service::Private::refresh(const ServerRequest &request, ReplyHandler done)
{
    const Decoded<QString> token = readJson(request, decodeRefresh);
    if (const auto *problem = std::get_if<Problem>(&token))
        return done(problemReply(*problem));
    const auto rotate = [this, token = std::get<QString>(token)](Transaction &transaction) {
        const Decoded<SessionResource> session = sessions(transaction).refresh(token);
        if (const auto *problem = std::get_if<Problem>(&session))
            return problemReply(*problem);
        return jsonReply(200, encodeSession(std::get<SessionResource>(session)));
    };
    storage->write(workFor(rotate, std::move(done)));
}

void Service::Private::signOut(const ServerRequest &request, ReplyHandler done)
{
    const auto end = [this](Transaction &transaction, const Actor &actor) {
        sessions(transaction).end(actor.sessionId);
        return ServerReply{204, {}, {}, {}};
    };
    storage->write(workFor(authenticated(request, AccountHeader::Optional, end), std::move(done)));
}

/// Through the writer: ready means that it lives and that the database lets it write.
void Service::Private::answerReady(ReplyHandler done)
{
    if (draining)
        return done(shuttingDown());
    const auto ask = [](Transaction &transaction) {
        transaction.execute("SELECT value FROM meta WHERE name = 'epoch'");
        return stateReply("ready");
    };
    storage->write(workFor(ask, std::move(done)));
}

ServerReply Service::Private::readConfig() const
{
    ServerConfig config;
    config.responseRetention = options.responseRetention;
    config.tombstoneRetention = options.tombstoneRetention;
    config.maximumBodyBytes = maximumBodyBytes;
    config.schemaVersions = {currentPayloadVersion};
    config.serverTime = clock.now();
    config.registrationOpen = options.registrationOpen;
    return jsonReply(200, encodeConfig(config));
}

Result<std::unique_ptr<Service>> Service::open(const ServiceOptions &options, const Clock &clock)
{
    if (!startCryptography())
        return Error{ErrorKind::Internal, QStringLiteral("libsodium cannot be started.")};
    auto storage = Storage::open(options.databasePath);
    if (!storage)
        return storage.error();
    return std::unique_ptr<Service>(
        new Service(std::make_unique<Private>(options, clock, std::move(storage).value())));
}

Service::Service(std::unique_ptr<Private> opened) : d(std::move(opened)) {}

Service::~Service() = default;

void Service::handle(ServerRequest request, ReplyHandler done)
{
    const auto routed = route(request);
    if (const auto *refused = std::get_if<ServerReply>(&routed))
        return done(*refused);
    const auto &[endpoint, entryId] = std::get<Route>(routed);
    switch (endpoint) {
    case Endpoint::SignUp: return d->signUp(request, std::move(done));
    case Endpoint::SignIn: return d->signIn(request, std::move(done));
    case Endpoint::Refresh: return d->refresh(request, std::move(done));
    case Endpoint::SignOut: return d->signOut(request, std::move(done));
    case Endpoint::CreateEntry: return d->operate(OperationType::CreateEntry, {}, request, std::move(done));
    case Endpoint::UpdateEntry:
        return d->operate(OperationType::UpdateEntry, entryId, request, std::move(done));
    case Endpoint::DeleteEntry:
        return d->operate(OperationType::DeleteEntry, entryId, request, std::move(done));
    case Endpoint::ReadEntry: return d->readEntry(entryId, request, std::move(done));
    case Endpoint::ReadReceipt: return d->readReceipt(request, std::move(done));
    case Endpoint::ReadConfig: return done(d->readConfig());
    case Endpoint::Live: return done(stateReply("live"));
    case Endpoint::Ready: return d->answerReady(std::move(done));
    }
}

Result<void> Service::addAccount(const QString &username, const QString &password, const QString &displayName)
{
    // Through the decoder: an operator's account keeps to the same rules as any other.
    const Decoded<SignUpRequest> read = decodeSignUp(encodeSignUp({username, password, displayName}));
    if (const auto *problem = std::get_if<Problem>(&read))
        return Error{ErrorKind::InvalidArgument, sentence(*problem)};
    return outcomeOf(d->accounts.signUp(std::get<SignUpRequest>(read)));
}

Result<void> Service::changePassword(const QString &username, const QString &newPassword)
{
    const Decoded<SignUpRequest> read = decodeSignUp(encodeSignUp({username, newPassword, {}}));
    if (const auto *problem = std::get_if<Problem>(&read))
        return Error{ErrorKind::InvalidArgument, sentence(*problem)};
    return d->accounts.changePassword(username, newPassword);
}

void Service::setNotReady() { d->draining = true; }

} // namespace daybook
