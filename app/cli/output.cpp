#include "app/cli/output.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTextStream>

#include <algorithm>
#include <cstdio>

namespace daybook {

namespace {

QString toText(const std::optional<Instant> &at) { return at ? RecordedAt{*at, {}}.toRfc3339() : QString(); }

QJsonValue toJsonValue(const std::optional<Instant> &at)
{
    return at ? QJsonValue(toText(at)) : QJsonValue();
}

QJsonObject toJson(const EntryFields &fields)
{
    return {
        // 15 significant digits at most, which a double gives back exactly.
        {QStringLiteral("value"), static_cast<double>(fields.value.thousandths()) / 1000.0},
        {QStringLiteral("recordedAt"), fields.recordedAt.toRfc3339()},
        {QStringLiteral("category"), fields.category},
        {QStringLiteral("note"), fields.note},
    };
}

QJsonObject toJson(const Attempt &attempt)
{
    return {
        {QStringLiteral("number"), attempt.number},
        {QStringLiteral("trigger"), QString(name(attempt.trigger))},
        {QStringLiteral("startedAt"), toText(attempt.startedAt)},
        {QStringLiteral("finishedAt"), toJsonValue(attempt.finishedAt)},
        {QStringLiteral("result"),
         attempt.result ? QJsonValue(QString(name(*attempt.result))) : QJsonValue()},
        {QStringLiteral("httpStatus"), attempt.httpStatus},
        {QStringLiteral("errorCode"), attempt.errorCode},
        {QStringLiteral("replayed"), attempt.replayed},
        {QStringLiteral("charged"), attempt.charged},
    };
}

QString toText(const Attempt &attempt)
{
    QStringList words = {toText(attempt.startedAt), QString(name(attempt.trigger)),
                         attempt.result ? QString(name(*attempt.result)) : QStringLiteral("under way")};
    if (attempt.httpStatus != 0)
        words += QStringLiteral("HTTP %1").arg(attempt.httpStatus);
    if (!attempt.errorCode.isEmpty())
        words += attempt.errorCode;
    if (attempt.replayed)
        words += QStringLiteral("replayed");
    if (attempt.finishedAt)
        words += QStringLiteral("%1 ms").arg((*attempt.finishedAt - attempt.startedAt).count());
    return QStringLiteral("    attempt %1: %2\n").arg(attempt.number).arg(words.join(QStringLiteral(", ")));
}

} // namespace

QLatin1StringView name(SyncState state)
{
    switch (state) {
    case SyncState::Synced: return QLatin1StringView("synced");
    case SyncState::Waiting: return QLatin1StringView("waiting");
    case SyncState::Sending: return QLatin1StringView("sending");
    case SyncState::AwaitingReply: return QLatin1StringView("awaiting_confirmation");
    case SyncState::RetryWaiting: return QLatin1StringView("retry_waiting");
    case SyncState::NeedsAttention: return QLatin1StringView("needs_attention");
    case SyncState::Conflict: return QLatin1StringView("conflict");
    case SyncState::LocalOnly: return QLatin1StringView("local_only");
    }
    return {};
}

QJsonObject toJson(const Entry &entry)
{
    QJsonObject object = toJson(entry.fields);
    object[QStringLiteral("clientEntryId")] = entry.id.toString();
    object[QStringLiteral("deleted")] = entry.deleted;
    object[QStringLiteral("syncState")] = QString(name(entry.sync.state));
    object[QStringLiteral("syncError")] = entry.sync.errorCode;
    object[QStringLiteral("nextAttemptAt")] = toJsonValue(entry.sync.nextAttemptAt);
    object[QStringLiteral("entryId")] = entry.server ? QJsonValue(entry.server->entryId) : QJsonValue();
    object[QStringLiteral("version")] = entry.server ? QJsonValue(entry.server->version) : QJsonValue();
    return object;
}

QJsonObject toJson(const Operation &operation, const QList<Attempt> &attempts)
{
    QJsonArray list;
    for (const Attempt &attempt : attempts)
        list.append(toJson(attempt));
    return {
        {QStringLiteral("operationId"), operation.id.toString()},
        {QStringLiteral("sequence"), operation.sequence},
        {QStringLiteral("type"), QString(name(operation.type))},
        {QStringLiteral("state"), QString(name(operation.state))},
        {QStringLiteral("baseVersion"),
         operation.baseVersion ? QJsonValue(*operation.baseVersion) : QJsonValue()},
        {QStringLiteral("fingerprint"), QString::fromLatin1(operation.fingerprint.toHex())},
        {QStringLiteral("lastErrorCode"), operation.lastErrorCode},
        {QStringLiteral("lastErrorDetail"), operation.lastErrorDetail},
        {QStringLiteral("supersededBy"),
         operation.supersededBy ? QJsonValue(operation.supersededBy->toString()) : QJsonValue()},
        {QStringLiteral("createdAt"), toText(operation.createdAt)},
        {QStringLiteral("completedAt"), toJsonValue(operation.completedAt)},
        {QStringLiteral("attempts"), list},
    };
}

QJsonObject toJson(const QueueSummary &summary)
{
    return {
        {QStringLiteral("pending"), summary.pending},
        {QStringLiteral("sending"), summary.sending},
        {QStringLiteral("retryWaiting"), summary.retryWaiting},
        {QStringLiteral("permanentFailed"), summary.permanentFailed},
        {QStringLiteral("conflict"), summary.conflict},
        {QStringLiteral("quarantined"), summary.quarantined},
        {QStringLiteral("oldestWaitingAt"), toJsonValue(summary.oldestWaitingAt)},
        {QStringLiteral("nextAttemptAt"), toJsonValue(summary.nextAttemptAt)},
        {QStringLiteral("blockedUntil"), toJsonValue(summary.blockedUntil)},
        {QStringLiteral("lastConfirmedAt"), toJsonValue(summary.lastConfirmedAt)},
    };
}

QString toLine(const Entry &entry)
{
    QString line = QStringLiteral("%1  %2  %3  %4")
                       .arg(QString(name(entry.sync.state)), -21)
                       .arg(entry.fields.recordedAt.toRfc3339(), -25)
                       .arg(entry.fields.value.toString(), 12)
                       .arg(entry.id.toString());
    if (!entry.fields.category.isEmpty())
        line += QStringLiteral("  ") + entry.fields.category;
    if (!entry.fields.note.isEmpty())
        line +=
            QStringLiteral("  ") + QString(entry.fields.note).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return line + QLatin1Char('\n');
}

QString toText(const Operation &operation, const QList<Attempt> &attempts)
{
    QString text =
        QStringLiteral("  operation %1  %2  %3")
            .arg(operation.id.toString(), QString(name(operation.type)), QString(name(operation.state)));
    if (!operation.lastErrorCode.isEmpty())
        text += QStringLiteral("  %1: %2").arg(operation.lastErrorCode, operation.lastErrorDetail);
    if (operation.supersededBy)
        text += QStringLiteral("  by %1").arg(operation.supersededBy->toString());
    text += QLatin1Char('\n');
    for (const Attempt &attempt : attempts)
        text += toText(attempt);
    return text;
}

QString toPrometheusText(const QueueMetrics &metrics, Instant now)
{
    QString text;
    const auto family = [&text](const char *name, const char *type, const char *help) {
        text += QStringLiteral("# HELP %1 %2\n# TYPE %1 %3\n")
                    .arg(QString::fromLatin1(name), QString::fromLatin1(help), QString::fromLatin1(type));
    };
    const auto sample = [&text](const char *name, const char *label, const QString &value, qint64 number) {
        text += QStringLiteral("%1{%2=\"%3\"} %4\n")
                    .arg(QString::fromLatin1(name), QString::fromLatin1(label), value)
                    .arg(number);
    };
    family("offline_queue_depth", "gauge", "Operations by state.");
    for (const OperationState state : allOperationStates)
        sample("offline_queue_depth", "state", QString(name(state)), metrics.operations.value(state));
    family("offline_queue_oldest_age_seconds", "gauge",
           "Age of the oldest operation that still has to be sent.");
    const auto age =
        metrics.oldestWaitingAt ? std::max(now - *metrics.oldestWaitingAt, Milliseconds(0)) : Milliseconds(0);
    text += QStringLiteral("offline_queue_oldest_age_seconds %1\n")
                .arg(static_cast<double>(age.count()) / 1000.0);
    family("offline_attempts_total", "counter", "Attempts by how they ended.");
    for (auto it = metrics.attempts.begin(); it != metrics.attempts.end(); ++it)
        sample("offline_attempts_total", "result", QString(name(it.key())), it.value());
    family("offline_permanent_failures_total", "counter", "Refused operations by code.");
    for (auto it = metrics.permanentFailures.begin(); it != metrics.permanentFailures.end(); ++it)
        sample("offline_permanent_failures_total", "code", it.key(), it.value());
    family("offline_replays_total", "counter", "Attempts that the server answered with a stored response.");
    text += QStringLiteral("offline_replays_total %1\n").arg(metrics.replays);
    return text;
}

QJsonObject toJson(const QueueMetrics &metrics)
{
    const auto counts = [](const auto &map, auto toKey) {
        QJsonObject object;
        for (auto it = map.begin(); it != map.end(); ++it)
            object[toKey(it.key())] = it.value();
        return object;
    };
    const auto named = [](auto key) { return QString(name(key)); };
    return {
        {QStringLiteral("operations"), counts(metrics.operations, named)},
        {QStringLiteral("attempts"), counts(metrics.attempts, named)},
        {QStringLiteral("permanentFailures"),
         counts(metrics.permanentFailures, [](const QString &code) { return code; })},
        {QStringLiteral("replays"), metrics.replays},
    };
}

void print(const QString &text) { QTextStream(stdout) << text; }

void print(const QJsonObject &object) { QTextStream(stdout) << QJsonDocument(object).toJson(); }

ExitCode fail(const Error &error)
{
    QString detail = error.detail;
    if (!detail.isEmpty() && !detail.startsWith(QLatin1String("http")))
        detail[0] = detail[0].toUpper();
    QTextStream(stderr) << "daybook-cli: " << detail << (detail.endsWith(QLatin1Char('.')) ? "\n" : ".\n");
    switch (error.kind) {
    case ErrorKind::InvalidArgument: return ExitCode::Usage;
    case ErrorKind::Credentials: return ExitCode::SignInNeeded;
    case ErrorKind::StoreCorrupt: return ExitCode::Damaged;
    default: return ExitCode::Failed;
    }
}

} // namespace daybook
