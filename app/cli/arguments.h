#pragma once

#include "models/domain/entry.h"
#include "models/domain/entrysource.h"
#include "sync/client/faultinjection.h"

#include <QStringList>

namespace daybook {

/// How the program ends. Part of what scripts rely on: documented in `--help`, never renumbered.
enum class ExitCode {
    Success = 0,
    Failed = 1,         ///< it could not be done; standard error says why
    Usage = 2,          ///< the command line makes no sense
    StillWaiting = 3,   ///< sync: something is not on the server yet
    NeedsAttention = 4, ///< sync: the server refused something, or there is a conflict
    SignInNeeded = 5,   ///< no session, or it ended
    Damaged = 6,        ///< the store is damaged, or breaks an invariant
};

/// The command line, read and checked.
struct Arguments
{
    QString command;
    QStringList operands; ///< value or entry id
    QString dataFolder;   ///< empty for the user's own
    bool json = false;

    QString serverOrigin;
    QString username;
    QString displayName;
    bool keepSessionInFile = false;

    std::optional<DecimalValue> value;
    std::optional<RecordedAt> recordedAt;
    std::optional<QString> category;
    std::optional<QString> note;

    EntryFilter filter;
    int limit = 50;
    QList<Fault> faults;
    Milliseconds timeout = std::chrono::seconds(60);
};

/// Reads the command line. `--help` and `--version` are answered here and end the process with 0.
Result<Arguments> readArguments(const QStringList &commandLine);

} // namespace daybook
