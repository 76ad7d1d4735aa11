#pragma once

#include <QLocalServer>
#include <QObject>

namespace daybook {

class DataFolder;

/// What one program on a data folder can tell another one.
enum class InstanceMessage : char {
    Nudge = 'n', ///< there is new work in the queue, or entries changed
    Raise = 'r', ///< show the window: somebody started the program again
};

/// Listens for other programs on the same data folder. **Thread:** the one that made it.
class InstanceLink final : public QObject
{
    Q_OBJECT

public:
    explicit InstanceLink(QObject *parent = nullptr);

    /// False where a living program listens already. What a dead one left behind is replaced.
    bool listen(const DataFolder &folder);
    void close();

Q_SIGNALS:
    void nudged();
    void raiseRequested();

private:
    void acceptConnections();

    QLocalServer m_server;
};

/// Tells the program that listens, if there is one; true when it was told. Waits at most 500 ms.
bool tellInstance(const DataFolder &folder, InstanceMessage message);

} // namespace daybook
