#include "ui/signindialog.h"

#include "ui/messageline.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>

namespace daybook {

namespace {

bool isThisComputer(const QString &host)
{
    return host == QLatin1String("localhost") || host == QLatin1String("::1") ||
           host.startsWith(QLatin1String("127."));
}

} // namespace

QString serverOriginFromText(const QString &text)
{
    QString typed = text.trimmed();
    if (!typed.contains(QLatin1String("://")))
        typed.prepend(isThisComputer(QUrl(QLatin1String("http://") + typed).host())
                          ? QLatin1String("http://")
                          : QLatin1String("https://"));
    const QUrl url(typed, QUrl::StrictMode);
    const bool isWeb = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    const bool isOrigin = url.path().isEmpty() || url.path() == QLatin1String("/");
    if (!url.isValid() || !isWeb || !isOrigin || url.host().isEmpty() || !url.userInfo().isEmpty() ||
        url.hasQuery() || url.hasFragment())
        return {};
    return url.adjusted(QUrl::RemovePath).toString(QUrl::FullyEncoded);
}

SignInDialog::SignInDialog(const Account &known, QWidget *parent)
    : QDialog(parent),
      m_form(new QFormLayout(this)),
      m_server(new QLineEdit(known.serverOrigin)),
      m_serverWarning(new QLabel),
      m_signUp(new QCheckBox(tr("&Create a new account on this server"))),
      m_username(new QLineEdit(known.username)),
      m_displayName(new QLineEdit),
      m_password(new QLineEdit),
      m_keepInFile(new QCheckBox(tr("&Keep me signed in where this system has no keychain"))),
      m_error(new MessageLine)
{
    setWindowTitle(tr("Sign in"));
    m_server->setPlaceholderText(QStringLiteral("https://daybook.example.org"));
    m_serverWarning->setWordWrap(true);
    m_serverWarning->setText(
        tr("Without https:// everybody on the way to the server can read the password and the entries."));
    m_password->setEchoMode(QLineEdit::Password);
    layOut();
    connect(m_signUp, &QCheckBox::toggled, this, &SignInDialog::adaptToMode);
    connect(m_server, &QLineEdit::textChanged, this, &SignInDialog::warnOfPlainHttp);
    adaptToMode();
    warnOfPlainHttp();
    (known.isLocalOnly() ? m_server : m_password)->setFocus();
}

void SignInDialog::layOut()
{
    auto *keepHint =
        new QLabel(tr("The session is then kept in a file only you can read. Otherwise you sign in again at "
                      "the next start."));
    keepHint->setWordWrap(true);
    keepHint->setForegroundRole(QPalette::PlaceholderText);

    const auto addField = [this](const QString &label, QLineEdit *field, const QString &name) {
        field->setAccessibleName(name);
        m_form->addRow(label, field);
        connect(field, &QLineEdit::textEdited, m_error, &MessageLine::clear);
    };
    addField(tr("&Server address"), m_server, tr("Server address"));
    m_form->addRow({}, m_serverWarning);
    m_form->addRow({}, m_signUp);
    addField(tr("&User name"), m_username, tr("User name"));
    addField(tr("&Display name"), m_displayName, tr("Display name"));
    addField(tr("&Password"), m_password, tr("Password"));
    m_form->addRow({}, m_keepInFile);
    m_form->addRow({}, keepHint);
    m_form->addRow(m_error);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_submit = buttons->addButton(tr("Sign in"), QDialogButtonBox::AcceptRole);
    m_form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SignInDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void SignInDialog::adaptToMode()
{
    const bool signUp = m_signUp->isChecked();
    m_submit->setText(signUp ? tr("Create account") : tr("Sign in"));
    m_displayName->setVisible(signUp);
    m_form->labelForField(m_displayName)->setVisible(signUp);
    m_error->clear();
}

void SignInDialog::warnOfPlainHttp()
{
    const QUrl url(serverOriginFromText(m_server->text()));
    m_serverWarning->setVisible(url.scheme() == QLatin1String("http") && !isThisComputer(url.host()));
}

void SignInDialog::showError(const QString &text)
{
    setWaiting(false);
    m_error->show(text);
    if (const int needed = m_form->totalHeightForWidth(width()); needed > height())
        resize(width(), needed); // a dialog does not grow by itself with a text that wraps
}

void SignInDialog::setWaiting(bool waiting)
{
    m_submit->setEnabled(!waiting);
    if (waiting)
        m_submit->setText(m_signUp->isChecked() ? tr("Creating account…") : tr("Signing in…"));
    else
        adaptToMode();
}

void SignInDialog::submit()
{
    const auto refuse = [this](QLineEdit *field, const QString &text) {
        showError(text);
        field->setFocus();
    };
    const QString origin = serverOriginFromText(m_server->text());
    if (origin.isEmpty())
        return refuse(m_server, tr("Type the address of a server, such as https://daybook.example.org."));
    const QString username = m_username->text().trimmed();
    if (username.isEmpty())
        return refuse(m_username, tr("Type your user name."));
    if (m_password->text().isEmpty())
        return refuse(m_password, tr("Type your password."));
    const qsizetype length = m_password->text().toUcs4().size();
    if (length > maximumPasswordCodePoints || (m_signUp->isChecked() && length < minimumPasswordCodePoints))
        return refuse(m_password, tr("A password has %1 to %2 characters.")
                                      .arg(locale().toString(minimumPasswordCodePoints),
                                           locale().toString(maximumPasswordCodePoints)));
    m_error->clear();
    setWaiting(true);
    if (m_signUp->isChecked()) {
        const QString displayName = m_displayName->text().trimmed();
        Q_EMIT signUpRequested(origin, username, m_password->text(),
                               displayName.isEmpty() ? username : displayName, m_keepInFile->isChecked());
    } else {
        Q_EMIT signInRequested(origin, username, m_password->text(), m_keepInFile->isChecked());
    }
}

} // namespace daybook
