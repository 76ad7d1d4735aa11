#pragma once

#include "app/cli/arguments.h"

#include <QObject>

#include <memory>

namespace daybook {

class Clock;
class DataFolder;
class Random;

/// One command that talks to a server: sign-up, sign-in, sign-out or sync. Runs in the event loop of the
/// program and ends with finished(), once.
class NetworkCommand : public QObject
{
    Q_OBJECT

public:
    static bool handles(const QString &command);
    /// What is referred to must outlive the command.
    static std::unique_ptr<NetworkCommand> create(const Arguments &arguments, const DataFolder &folder,
                                                  Clock &clock, Random &random);

    virtual void start() = 0;

Q_SIGNALS:
    void finished(daybook::ExitCode code);
};

} // namespace daybook
