#pragma once

#include "app/cli/arguments.h"
#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/operation.h"
#include "models/store/queuemetrics.h"

#include <QJsonObject>

namespace daybook {

/// Everything the program says: text for people, JSON for scripts (one document on standard output).
QJsonObject toJson(const Entry &entry);
QJsonObject toJson(const Operation &operation, const QList<Attempt> &attempts);
QJsonObject toJson(const QueueSummary &summary);
QJsonObject toJson(const QueueMetrics &metrics);
/// Prometheus text exposition format 0.0.4.
QString toPrometheusText(const QueueMetrics &metrics, Instant now);

/// One line: badge, time, value, category, note, id.
QString toLine(const Entry &entry);
QString toText(const Operation &operation, const QList<Attempt> &attempts);

/// The badge in one word, such as `waiting`; the same in text and JSON.
QLatin1StringView name(SyncState state);

void print(const QString &text);
void print(const QJsonObject &object);
/// Says on standard error what went wrong, in one sentence, and what the exit code is.
ExitCode fail(const Error &error);

} // namespace daybook
