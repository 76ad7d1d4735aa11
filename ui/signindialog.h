#pragma once

#include "models/domain/account.h"

#include <QDialog>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace daybook {

class MessageLine;

/// Asks for a server, a name and a password, to sign in or to sign up. It stays open, with all that was
/// typed, until it is told that it worked.
class SignInDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Filled in from \p known where that has a server.
    explicit SignInDialog(const Account &known, QWidget *parent = nullptr);
    void showError(const QString &text);

Q_SIGNALS:
    void signInRequested(const QString &serverOrigin, const QString &username, const QString &password,
                         bool keepSessionInFile);
    void signUpRequested(const QString &serverOrigin, const QString &username, const QString &password,
                         const QString &displayName, bool keepSessionInFile);

private:
    void layOut();
    void adaptToMode();
    void warnOfPlainHttp();
    void submit();
    void setWaiting(bool waiting);

    QFormLayout *m_form;
    QLineEdit *m_server;
    QLabel *m_serverWarning;
    QCheckBox *m_signUp;
    QLineEdit *m_username;
    QLineEdit *m_displayName;
    QLineEdit *m_password;
    QCheckBox *m_keepInFile;
    MessageLine *m_error;
    QPushButton *m_submit;
};

/// The origin a person means by \p text: `https://` where no scheme was typed, `http://` for this computer.
/// Empty where it is no server address.
QString serverOriginFromText(const QString &text);

} // namespace daybook
