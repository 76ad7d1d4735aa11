#include "app/credentialstore.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>

using namespace daybook;

/// Without a keychain, as on a server or in CI: the file and the memory.
class TestCredentialStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keepsTokensInMemoryUnlessAllowed();
    void keepsTokensInAPrivateFileWhereAllowed();
    void goesOnWithTheFileThatIsThere();
    void keepsAccountsApart();
    void forgets();
    void saysWhyTheFileCannotBeWritten();
    void answersSeveralThreadsAtOnce();

private:
    CredentialPlace place(const char *accountId, bool fileAllowed) const;
    static std::optional<TokenPair> load(CredentialStore &store);
    static Result<void> keep(CredentialStore &store, const TokenPair &tokens);
    QStringList files() const;

    std::unique_ptr<QTemporaryDir> m_home;
};

namespace {

const TokenPair first{QStringLiteral("access-1"), QStringLiteral("refresh-1")};
const TokenPair second{QStringLiteral("access-2"), QStringLiteral("refresh-2")};

} // namespace

void TestCredentialStore::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_home->path().toUtf8());
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
}

CredentialPlace TestCredentialStore::place(const char *accountId, bool fileAllowed) const
{
    return {QStringLiteral("/somewhere/daybook"), QStringLiteral("http://127.0.0.1:1"),
            QString::fromLatin1(accountId), fileAllowed, std::make_shared<TokenMemory>()};
}

std::optional<TokenPair> TestCredentialStore::load(CredentialStore &store)
{
    std::optional<Result<std::optional<TokenPair>>> answer;
    store.load([&answer](const Result<std::optional<TokenPair>> &loaded) { answer = loaded; });
    [&answer] { QTRY_VERIFY(answer.has_value()); }();
    return answer && *answer ? **answer : std::nullopt;
}

Result<void> TestCredentialStore::keep(CredentialStore &store, const TokenPair &tokens)
{
    std::optional<Result<void>> answer;
    store.store(tokens, [&answer](const Result<void> &stored) { answer = stored; });
    [&answer] { QTRY_VERIFY(answer.has_value()); }();
    return answer.value_or(Result<void>(Error{}));
}

QStringList TestCredentialStore::files() const
{
    QStringList found;
    for (QDirIterator it(m_home->path(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        found += it.next();
    return found;
}

void TestCredentialStore::keepsTokensInMemoryUnlessAllowed()
{
    const CredentialPlace here = place("a", false);
    CredentialStore store(here);
    QVERIFY(keep(store, first));
    QVERIFY(!store.isPersistent());
    QVERIFY(files().isEmpty());
    QCOMPARE(load(store), first);
    CredentialStore sameProgram(here);
    QCOMPARE(load(sameProgram), first);
    CredentialStore otherProgram(place("a", false));
    QCOMPARE(load(otherProgram), std::nullopt);
}

void TestCredentialStore::keepsTokensInAPrivateFileWhereAllowed()
{
    CredentialStore store(place("a", true));
    QVERIFY(keep(store, first));
    QVERIFY(store.isPersistent());
    QCOMPARE(files().size(), 1);
    const QFileInfo file(files().first());
    QCOMPARE(file.permissions() &
                 (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
             QFile::Permissions());
    QCOMPARE(QFileInfo(file.absolutePath()).permissions() &
                 (QFile::ExeGroup | QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther),
             QFile::Permissions());
    CredentialStore later(place("a", false));
    QCOMPARE(load(later), first);
}

void TestCredentialStore::goesOnWithTheFileThatIsThere()
{
    CredentialStore store(place("a", true));
    QVERIFY(keep(store, first));
    CredentialStore refreshing(place("a", false)); // the agreement is remembered by the file
    QVERIFY(keep(refreshing, second));
    QVERIFY(refreshing.isPersistent());
    CredentialStore later(place("a", false));
    QCOMPARE(load(later), second);
}

void TestCredentialStore::keepsAccountsApart()
{
    CredentialStore a(place("a", true));
    CredentialStore b(place("b", true));
    QVERIFY(keep(a, first));
    QCOMPARE(load(b), std::nullopt);
    QVERIFY(keep(b, second));
    QCOMPARE(load(a), first);
    QVERIFY(a.refreshLockPath() != b.refreshLockPath());
}

void TestCredentialStore::forgets()
{
    CredentialStore store(place("a", true));
    QVERIFY(keep(store, first));
    bool cleared = false;
    store.clear([&cleared](const Result<void> &done) { cleared = done.ok(); });
    QTRY_VERIFY(cleared);
    QCOMPARE(load(store), std::nullopt);
    QVERIFY(files().isEmpty());
}

void TestCredentialStore::saysWhyTheFileCannotBeWritten()
{
    QFile blocked(m_home->filePath(QStringLiteral("daybook"))); // a file where the folder has to be
    QVERIFY(blocked.open(QIODevice::WriteOnly));
    CredentialStore store(place("a", true));
    const auto stored = keep(store, first);
    QVERIFY(!stored);
    QCOMPARE(stored.error().kind, ErrorKind::Credentials);
    QVERIFY(stored.error().detail.contains(m_home->path()));
    QVERIFY(!stored.error().detail.contains(first.accessToken));
}

void TestCredentialStore::answersSeveralThreadsAtOnce()
{
    constexpr int rounds = 25;
    const CredentialPlace here = place("a", true);
    CredentialStore store(here);
    QVERIFY(keep(store, first));

    QThread thread;
    QObject worker;
    worker.moveToThread(&thread);
    thread.start();
    std::atomic<int> inTheOther = 0;
    const auto ask = [&inTheOther, here, &thread] {
        auto *mine = new CredentialStore(here);
        QObject::connect(&thread, &QThread::finished, mine, &QObject::deleteLater);
        for (int i = 0; i < rounds; ++i)
            mine->load([&inTheOther](const Result<std::optional<TokenPair>> &loaded) {
                inTheOther += loaded && *loaded == first ? 1 : 0;
            });
    };
    QMetaObject::invokeMethod(&worker, ask, Qt::QueuedConnection);
    int inThisThread = 0;
    for (int i = 0; i < rounds; ++i)
        store.load([&inThisThread](const Result<std::optional<TokenPair>> &loaded) {
            inThisThread += loaded && *loaded == first ? 1 : 0;
        });
    QTRY_COMPARE(inThisThread, rounds);
    QTRY_COMPARE(inTheOther.load(), rounds);
    thread.quit();
    QVERIFY(thread.wait());
}

QTEST_GUILESS_MAIN(TestCredentialStore)
#include "tst_credentialstore.moc"
