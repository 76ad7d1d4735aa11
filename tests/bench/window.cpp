// daybook-bench-window empty | FOLDER: ends as soon as an empty window, or the first rows of a store in the
// main window, are painted.

#include "app/datafolder.h"
#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "models/items/entrytablemodel.h"
#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/connection.h"
#include "ui/mainwindow.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QTableView>
#include <QTimer>

#include <cstdio>
#include <cstdlib>

using namespace daybook;

namespace {

constexpr QSize windowSize(1000, 700);

/// Ends the process once the widget it watches has been painted; nothing after that is measured.
class FirstPaint final : public QObject
{
public:
    explicit FirstPaint(QWidget *painted) { painted->installEventFilter(this); }

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, this, [] { std::_Exit(EXIT_SUCCESS); });
        return false;
    }
};

int fail(const QString &why)
{
    std::fprintf(stderr, "%s\n", qPrintable(why));
    return EXIT_FAILURE;
}

int showEmptyWindow()
{
    QMainWindow window;
    const FirstPaint end(&window);
    window.resize(windowSize);
    window.show();
    return QApplication::exec();
}

int showEntries(const DataFolder &folder)
{
    SystemClock clock;
    SystemRandom random;
    auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return fail(connection.error().detail);
    const auto account = AccountRepository(**connection).current();
    if (!account)
        return fail(account.error().detail);
    connection->reset();
    const auto store = AccountStore::open(folder.databasePath(), account->id, clock, random);
    if (!store)
        return fail(store.error().detail);

    EntryTableModel model(**store);
    MainWindow window(clock);
    window.setEntryModel(&model);
    WindowFacts facts;
    facts.account = *account;
    window.setFacts(facts);
    auto *table = window.findChild<QTableView *>();
    if (table == nullptr || model.rowCount() == 0)
        return fail(QStringLiteral("the window has no rows to paint"));
    const FirstPaint end(table->viewport());
    window.resize(windowSize);
    window.show();
    return QApplication::exec();
}

} // namespace

int main(int count, char **arguments)
{
    const QApplication application(count, arguments);
    const QStringList words = QApplication::arguments();
    if (words.size() != 2)
        return fail(QStringLiteral("usage: daybook-bench-window empty | FOLDER"));
    return words.at(1) == QLatin1String("empty") ? showEmptyWindow() : showEntries(DataFolder(words.at(1)));
}
