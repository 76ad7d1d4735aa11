#include "ui/signindialog.h"

#include "ui/messageline.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace daybook;

class TestSignInDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void originIsWhatThePersonMeans_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("origin");
        const auto row = [](const char *typed, const char *origin) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(origin);
        };
        row("daybook.example.org", "https://daybook.example.org");
        row(" https://daybook.example.org/ ", "https://daybook.example.org");
        row("https://daybook.example.org:8443", "https://daybook.example.org:8443");
        row("127.0.0.1:8640", "http://127.0.0.1:8640");
        row("localhost:8640", "http://localhost:8640");
        row("http://192.168.1.2:8640", "http://192.168.1.2:8640");
        row("", "");
        row("ftp://example.org", "");
        row("https://example.org/path", "");
        row("https://user:secret@example.org", "");
        row("https://example.org?x=1", "");
        row("two words", "");
    }

    void originIsWhatThePersonMeans()
    {
        QFETCH(QString, typed);
        QTEST(serverOriginFromText(typed), "origin");
    }

    void signsIn()
    {
        SignInDialog dialog({});
        QSignalSpy asked(&dialog, &SignInDialog::signInRequested);
        fill(dialog, QStringLiteral("localhost:1"), QStringLiteral(" ann "), QStringLiteral(" secret "));
        submit(dialog);
        QCOMPARE(asked.size(), 1);
        const QVariantList expected{QStringLiteral("http://localhost:1"), QStringLiteral("ann"),
                                    QStringLiteral(" secret "), false};
        QCOMPARE(asked.first(), expected);
        QVERIFY(!button(dialog)->isEnabled()); // once is enough
    }

    void signsUp()
    {
        SignInDialog dialog({});
        QSignalSpy asked(&dialog, &SignInDialog::signUpRequested);
        fill(dialog, QStringLiteral("example.org"), QStringLiteral("ann"), QStringLiteral("a secret"));
        const auto boxes = dialog.findChildren<QCheckBox *>();
        QVERIFY(!field(dialog, "Display name")->isVisibleTo(&dialog));
        for (QCheckBox *box : boxes)
            box->setChecked(true);
        QVERIFY(field(dialog, "Display name")->isVisibleTo(&dialog));
        field(dialog, "Display name")->setText(QStringLiteral("Ann Example"));
        submit(dialog);
        const QVariantList expected{QStringLiteral("https://example.org"), QStringLiteral("ann"),
                                    QStringLiteral("a secret"), QStringLiteral("Ann Example"), true};
        QCOMPARE(asked.value(0), expected);
    }

    void whatIsMissingIsSaid()
    {
        SignInDialog dialog({});
        QSignalSpy asked(&dialog, &SignInDialog::signInRequested);
        dialog.show();
        submit(dialog);
        QVERIFY(error(dialog)->text().contains(QStringLiteral("address")));
        field(dialog, "Server address")->setText(QStringLiteral("localhost"));
        submit(dialog);
        QVERIFY(error(dialog)->text().contains(QStringLiteral("user name")));
        field(dialog, "User name")->setText(QStringLiteral("ann"));
        submit(dialog);
        QVERIFY(error(dialog)->text().contains(QStringLiteral("password")));
        QCOMPARE(asked.size(), 0);
    }

    void theLengthOfAPasswordIsChecked_data()
    {
        QTest::addColumn<QString>("password");
        QTest::addColumn<bool>("signUp");
        QTest::addColumn<bool>("sent");
        QTest::newRow("short, new") << QStringLiteral("1234567") << true << false;
        QTest::newRow("short, old") << QStringLiteral("1234567") << false << true;
        QTest::newRow("shortest") << QStringLiteral("12345678") << true << true;
        QTest::newRow("four pairs") << QStringLiteral("😀").repeated(4) << true << false;
        QTest::newRow("longest") << QStringLiteral("😀").repeated(256) << true << true;
        QTest::newRow("too long") << QString(257, u'x') << true << false;
        QTest::newRow("too long, old") << QString(257, u'x') << false << false;
    }

    void theLengthOfAPasswordIsChecked()
    {
        QFETCH(QString, password);
        QFETCH(bool, signUp);
        QFETCH(bool, sent);
        SignInDialog dialog({});
        QSignalSpy signUps(&dialog, &SignInDialog::signUpRequested);
        QSignalSpy signIns(&dialog, &SignInDialog::signInRequested);
        fill(dialog, QStringLiteral("localhost:1"), QStringLiteral("ann"), password);
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
            box->setChecked(signUp);
        submit(dialog);
        QCOMPARE(signUps.size() + signIns.size(), sent ? 1 : 0);
        QCOMPARE(error(dialog)->text().contains(QStringLiteral("8 to 256 characters")), !sent);
    }

    void cancelWorksWhileSigningIn()
    {
        SignInDialog dialog({});
        QSignalSpy cancelled(&dialog, &QDialog::rejected);
        fill(dialog, QStringLiteral("localhost:1"), QStringLiteral("ann"), QStringLiteral("secret"));
        submit(dialog);
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Cancel)->click();
        QCOMPARE(cancelled.size(), 1);
    }

    void aRefusalLeavesWhatWasTyped()
    {
        SignInDialog dialog({});
        QSignalSpy asked(&dialog, &SignInDialog::signInRequested);
        fill(dialog, QStringLiteral("localhost:1"), QStringLiteral("ann"), QStringLiteral("secret"));
        dialog.show();
        submit(dialog);
        dialog.showError(QStringLiteral("No."));
        QVERIFY(error(dialog)->isVisible());
        QCOMPARE(field(dialog, "Password")->text(), QStringLiteral("secret"));
        submit(dialog);
        QCOMPARE(asked.size(), 2);
    }

    void aKnownAccountIsFilledIn()
    {
        Account known;
        known.serverOrigin = QStringLiteral("https://example.org");
        known.username = QStringLiteral("ann");
        SignInDialog dialog(known);
        QCOMPARE(field(dialog, "Server address")->text(), known.serverOrigin);
        QCOMPARE(field(dialog, "User name")->text(), known.username);
        QCOMPARE(field(dialog, "Password")->echoMode(), QLineEdit::Password);
    }

private:
    static QLineEdit *field(const SignInDialog &dialog, const char *name)
    {
        for (QLineEdit *line : dialog.findChildren<QLineEdit *>()) {
            if (line->accessibleName() == QLatin1StringView(name))
                return line;
        }
        return nullptr;
    }
    static void fill(const SignInDialog &dialog, const QString &server, const QString &username,
                     const QString &password)
    {
        field(dialog, "Server address")->setText(server);
        field(dialog, "User name")->setText(username);
        field(dialog, "Password")->setText(password);
    }
    static QAbstractButton *button(const SignInDialog &dialog)
    {
        const auto *box = dialog.findChild<QDialogButtonBox *>();
        for (QAbstractButton *candidate : box->buttons()) {
            if (box->buttonRole(candidate) == QDialogButtonBox::AcceptRole)
                return candidate;
        }
        return nullptr;
    }
    static void submit(const SignInDialog &dialog) { button(dialog)->click(); }
    static MessageLine *error(const SignInDialog &dialog) { return dialog.findChild<MessageLine *>(); }
};

QTEST_MAIN(TestSignInDialog)
#include "tst_signindialog.moc"
