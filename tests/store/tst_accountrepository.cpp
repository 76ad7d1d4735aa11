#include "tests/store/storeworld.h"

using namespace daybook;

class TestAccountRepository : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_connection = must(Connection::open(m_folder->filePath(QStringLiteral("daybook.sqlite"))));
        m_accounts = std::make_unique<AccountRepository>(*m_connection);
    }

    void newStoreHasTheLocalOnlyAccount()
    {
        const Account local = must(m_accounts->localOnly());
        QVERIFY(local.isLocalOnly());
        QVERIFY(!local.signedIn);
        QCOMPARE(count(), 1);
        QCOMPARE(must(m_accounts->current()), local);
    }

    void currentIsTheOneSignedInLast()
    {
        const Account ada = signIn(account(QStringLiteral("a-1")));
        const Account bob = signIn(account(QStringLiteral("b-2")));
        QCOMPARE(must(m_accounts->current()), bob);
        signIn(ada);
        QCOMPARE(must(m_accounts->current()), ada);
        QVERIFY(!must(m_accounts->byId(bob.id)).signedIn);
        signOut(ada.id);
        QVERIFY(must(m_accounts->current()).isLocalOnly());
        QCOMPARE(count(), 3);
    }

    void signingInAgainBringsTheNameUpToDate()
    {
        Account ada = signIn(account(QStringLiteral("a-1")));
        QVERIFY(ada.signedIn);
        signOut(ada.id);
        QVERIFY(!must(m_accounts->byId(ada.id)).signedIn);
        ada.displayName = QStringLiteral("Ada L.");
        QCOMPARE(signIn(ada), ada);
        QCOMPARE(count(), 2);
    }

    void sameIdOnAnotherServerIsAnotherAccount()
    {
        const Account here = signIn(account(QStringLiteral("a-1")));
        Account elsewhere = account(QStringLiteral("a-1"));
        elsewhere.serverOrigin = QStringLiteral("https://other.example");
        QVERIFY(signIn(elsewhere).id != here.id);
    }

    void refusesWhatMakesNoSense()
    {
        auto transaction = must(Transaction::begin(*m_connection));
        QCOMPARE(m_accounts->signIn(transaction, Account()).error().kind, ErrorKind::InvalidArgument);
        QCOMPARE(m_accounts->byId(AccountId(77)).error().kind, ErrorKind::NotFound);
        QCOMPARE(m_accounts->signOut(transaction, AccountId(77)).error().kind, ErrorKind::NotFound);
        QCOMPARE(m_accounts->waits(AccountId(77)).error().kind, ErrorKind::NotFound);
    }

    void storesKeepTheirInstallId()
    {
        const QString id = must(m_accounts->installId());
        QCOMPARE(id.size(), 32);
        QCOMPARE(must(m_accounts->installId()), id);
        const auto other = must(Connection::open(m_folder->filePath(QStringLiteral("other.sqlite"))));
        QVERIFY(must(AccountRepository(*other).installId()) != id);
    }

private:
    static Account account(const QString &serverAccountId)
    {
        Account made;
        made.serverOrigin = QStringLiteral("https://sync.example");
        made.serverAccountId = serverAccountId;
        made.username = serverAccountId;
        return made;
    }

    Account signIn(const Account &account)
    {
        auto transaction = must(Transaction::begin(*m_connection));
        const Account known = must(m_accounts->signIn(transaction, account));
        must(transaction.commit());
        return known;
    }

    void signOut(AccountId id)
    {
        auto transaction = must(Transaction::begin(*m_connection));
        must(m_accounts->signOut(transaction, id));
        must(transaction.commit());
    }

    qint64 count()
    {
        const QString sql = QStringLiteral("SELECT count(*) FROM accounts");
        return must(selectFirst(*m_connection, sql, readNumber)).value_or(0);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<AccountRepository> m_accounts;
};

QTEST_GUILESS_MAIN(TestAccountRepository)
#include "tst_accountrepository.moc"
