#include "app/guidedtour.h"

#include "app/application.h"
#include "app/credentialstore.h"
#include "sync/client/requestbuilder.h"
#include "sync/protocol/messages.h"
#include "ui/syncbadge.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPixmap>

#include <array>
#include <cstdio>

namespace daybook {

namespace {

constexpr auto patience = std::chrono::seconds(60);

struct Sample
{
    const char *value;
    const char *category;
    const char *note;
};

constexpr std::array samples = {
    Sample{"72.4", "Weight (kg)", "before breakfast"},
    Sample{"118", "Blood pressure, systolic", "sitting, left arm"},
    Sample{"5.6", "Glucose (mmol/l)", "two hours after lunch"},
};

/// As a person at the keyboard would.
void press(QWidget *widget, Qt::Key key, const QString &text = {})
{
    QKeyEvent down(QEvent::KeyPress, key, Qt::NoModifier, text);
    QCoreApplication::sendEvent(widget, &down);
    QKeyEvent up(QEvent::KeyRelease, key, Qt::NoModifier, text);
    QCoreApplication::sendEvent(widget, &up);
}

void type(QWidget *widget, const QString &text)
{
    for (const QChar c : text)
        press(widget, Qt::Key_unknown, c);
}

} // namespace

GuidedTour::GuidedTour(Application &application, QString screenshotPath, QObject *parent)
    : QObject(parent),
      m_application(application),
      m_screenshotPath(std::move(screenshotPath)),
      m_out(stdout)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        say(QStringLiteral("This took too long."));
        end(false);
    });
}

GuidedTour::~GuidedTour() = default;

void GuidedTour::start()
{
    AccountSession *session = m_application.sessions().session();
    if (!session->service()) {
        say(QStringLiteral("Nobody is signed in, so there is no server to show anything with."));
        end(false);
        return;
    }
    m_patience.start(patience);
    connect(session, &AccountSession::entriesChanged, this, &GuidedTour::printStates);
    connect(session, &AccountSession::entriesChanged, this, &GuidedTour::checkDrained, Qt::QueuedConnection);
    connect(&m_application.window(), &MainWindow::addEntryRequested, this, &GuidedTour::saveNext,
            Qt::QueuedConnection);
    goOffline();
}

void GuidedTour::say(const QString &line) { m_out << line << Qt::endl; }

void GuidedTour::goOffline()
{
    say(QStringLiteral("Network off. Three entries are typed and saved:"));
    m_application.window().findChild<QAction *>(QStringLiteral("workOffline"))->trigger();
    saveNext();
}

void GuidedTour::saveNext()
{
    if (m_ids.size() == static_cast<qsizetype>(samples.size())) {
        goOnline();
        return;
    }
    const Sample &sample = samples[static_cast<size_t>(m_ids.size())];
    MainWindow &window = m_application.window();
    auto *value = window.findChild<QLineEdit *>(QStringLiteral("quickEntryValue"));
    type(value, QLocale().toString(0.5).contains(QLatin1Char(','))
                    ? QString::fromLatin1(sample.value).replace(QLatin1Char('.'), QLatin1Char(','))
                    : QString::fromLatin1(sample.value));
    type(window.findChild<QWidget *>(QStringLiteral("quickEntryCategory")),
         QString::fromLatin1(sample.category));
    type(window.findChild<QWidget *>(QStringLiteral("quickEntryNote")), QString::fromLatin1(sample.note));
    press(value, Qt::Key_Return);
}

void GuidedTour::goOnline()
{
    say(QStringLiteral("Network on. The reply to the first request is lost on its way back:"));
    m_online = true;
    const auto fault = [](const char *text) { return *Fault::fromText(QString::fromLatin1(text)); };
    m_application.sessions().session()->service()->setFaults(
        {fault("latency=150"), fault("lose-reply,times=1")});
    m_application.window().findChild<QAction *>(QStringLiteral("workOffline"))->trigger();
}

void GuidedTour::printStates(const QList<ClientEntryId> &ids)
{
    for (const ClientEntryId &id : ids) {
        const auto entry = m_application.sessions().session()->store().entry(id);
        if (!entry)
            continue;
        if (!m_ids.contains(id))
            m_ids.append(id);
        const QString sentence = badgeSentence(entry->sync, m_application.clock().now());
        if (m_lastState.value(id) == sentence)
            continue;
        m_lastState[id] = sentence;
        say(QStringLiteral("  entry %1 (%2 %3): %4")
                .arg(m_ids.indexOf(id) + 1)
                .arg(entry->fields.value.toString(), entry->fields.category, sentence));
    }
}

void GuidedTour::checkDrained()
{
    if (!m_online)
        return;
    const auto summary = m_application.sessions().session()->store().queueSummary();
    if (!summary || summary->unfinished() > 0)
        return;
    m_online = false;
    m_application.sessions().session()->service()->setFaults({});
    printAttempts();
    readBack();
}

void GuidedTour::printAttempts()
{
    say(QStringLiteral("What it took:"));
    const AccountStore &store = m_application.sessions().session()->store();
    for (const ClientEntryId &id : m_ids) {
        const auto operations = store.operations(id);
        for (const Operation &operation : operations ? *operations : QList<Operation>()) {
            const auto attempts = store.attempts(operation.id);
            for (const Attempt &attempt : attempts ? *attempts : QList<Attempt>()) {
                say(QStringLiteral("  entry %1: operation %2, attempt %3: %4%5")
                        .arg(m_ids.indexOf(id) + 1)
                        .arg(operation.id.toString())
                        .arg(attempt.number)
                        .arg(attempt.result ? QString(name(*attempt.result)) : QString(),
                             attempt.replayed ? QStringLiteral(" (the server replayed its stored answer)")
                                              : QString()));
                m_replayed += attempt.replayed ? 1 : 0;
            }
        }
    }
}

void GuidedTour::readBack()
{
    say(QStringLiteral("Read back from the server over HTTP:"));
    auto *credentials = new CredentialStore(m_application.sessions().session()->credentials(), this);
    credentials->load([this](const Result<std::optional<TokenPair>> &loaded) {
        if (loaded && *loaded) {
            readNext((*loaded)->accessToken);
            return;
        }
        say(QStringLiteral("The session cannot be read."));
        end(false);
    });
}

void GuidedTour::readNext(const QString &accessToken)
{
    if (m_readBack == m_ids.size()) {
        say(QStringLiteral("%1 entries on the server, %2 of them replayed.").arg(m_onServer).arg(m_replayed));
        end(m_onServer == static_cast<int>(samples.size()) && m_replayed == 1);
        return;
    }
    const ClientEntryId id = m_ids[m_readBack++];
    const Account &account = m_application.sessions().session()->account();
    m_call = m_network.send(
        readEntryRequest(account, id, accessToken), [this, id, accessToken](const TransportReply &reply) {
            printServerEntry(id, reply);
            QMetaObject::invokeMethod(
                this, [this, accessToken] { readNext(accessToken); }, Qt::QueuedConnection);
        });
}

void GuidedTour::printServerEntry(const ClientEntryId &id, const TransportReply &reply)
{
    const auto entry = reply.status == 200 ? decodeEntry(reply.body) : std::nullopt;
    if (!entry) {
        say(QStringLiteral("  %1: HTTP %2").arg(id.toString()).arg(reply.status));
        return;
    }
    ++m_onServer;
    say(QStringLiteral("  %1: %2 %3, version %4")
            .arg(id.toString(), entry->fields.value.toString(), entry->fields.category)
            .arg(entry->version));
}

void GuidedTour::end(bool asExpected)
{
    if (m_ended)
        return;
    m_ended = true;
    m_patience.stop();
    // One more turn of the event loop, so that the picture shows what was said.
    QTimer::singleShot(std::chrono::milliseconds(300), this, [this, asExpected] {
        QDir().mkpath(QFileInfo(m_screenshotPath).absolutePath());
        const bool written = m_application.window().grab().save(m_screenshotPath);
        say(written ? QStringLiteral("Screenshot: %1").arg(m_screenshotPath)
                    : QStringLiteral("The screenshot cannot be written to %1").arg(m_screenshotPath));
        Q_EMIT finished(asExpected && written);
    });
}

} // namespace daybook
