#include "ui/problemtext.h"

#include <QCoreApplication>

#include <array>

namespace daybook {

namespace {

struct Row
{
    const char *code;
    const char *what;
    const char *whatToDo;
};

constexpr const char *waitForIt = "";
constexpr const char *correctIt =
    QT_TRANSLATE_NOOP("ProblemText", "Correct the entry, or discard this change.");
constexpr const char *retryIt = QT_TRANSLATE_NOOP(
    "ProblemText", "Retry now; if that does not help, edit the entry so that it is sent as a new change.");
constexpr const char *updateIt = QT_TRANSLATE_NOOP("ProblemText", "Install the latest version of Daybook.");
constexpr const char *signInAgain = QT_TRANSLATE_NOOP("ProblemText", "Sign in again.");
constexpr const char *decideIt = QT_TRANSLATE_NOOP(
    "ProblemText", "Edit the entry to send your values, or discard this change to take the server's.");
constexpr const char *checkNetwork =
    QT_TRANSLATE_NOOP("ProblemText", "Check the network and the server address; Daybook keeps trying.");

constexpr std::array rows = {
    Row{"IDEMPOTENCY_KEY_MISSING", QT_TRANSLATE_NOOP("ProblemText", "the request had no key"), retryIt},
    Row{"IDEMPOTENCY_KEY_INVALID", QT_TRANSLATE_NOOP("ProblemText", "the request had no valid key"), retryIt},
    Row{"ACCOUNT_HEADER_MISSING", QT_TRANSLATE_NOOP("ProblemText", "the request named no account"), retryIt},
    Row{"MALFORMED_REQUEST", QT_TRANSLATE_NOOP("ProblemText", "the request was not understood"), retryIt},
    Row{"MALFORMED_JSON", QT_TRANSLATE_NOOP("ProblemText", "the entry was not understood"), retryIt},
    Row{"INVALID_CURSOR", QT_TRANSLATE_NOOP("ProblemText", "the place in the list of changes is not valid"),
        waitForIt},
    Row{"UNAUTHENTICATED", QT_TRANSLATE_NOOP("ProblemText", "the session is not valid"), signInAgain},
    Row{"TOKEN_EXPIRED", QT_TRANSLATE_NOOP("ProblemText", "the session has ended"), signInAgain},
    Row{"INVALID_CREDENTIALS", QT_TRANSLATE_NOOP("ProblemText", "the user name or the password is wrong"),
        QT_TRANSLATE_NOOP("ProblemText", "Check both and try again.")},
    Row{"FORBIDDEN", QT_TRANSLATE_NOOP("ProblemText", "this account is not allowed to do that"),
        QT_TRANSLATE_NOOP("ProblemText", "Ask whoever runs the server, then retry; or discard this change.")},
    Row{"ACCOUNT_MISMATCH", QT_TRANSLATE_NOOP("ProblemText", "the session belongs to another account"),
        QT_TRANSLATE_NOOP("ProblemText", "Sign in to the account the entries belong to.")},
    Row{"REGISTRATION_CLOSED", QT_TRANSLATE_NOOP("ProblemText", "it does not take new accounts"),
        QT_TRANSLATE_NOOP("ProblemText", "Ask whoever runs the server for an account.")},
    Row{"ENTRY_NOT_FOUND", QT_TRANSLATE_NOOP("ProblemText", "it does not have this entry"), decideIt},
    Row{"OPERATION_UNKNOWN", QT_TRANSLATE_NOOP("ProblemText", "it has never seen this change"), waitForIt},
    Row{"NOT_FOUND", QT_TRANSLATE_NOOP("ProblemText", "there is no such address on it"),
        QT_TRANSLATE_NOOP("ProblemText", "Check the server address.")},
    Row{"METHOD_NOT_ALLOWED", QT_TRANSLATE_NOOP("ProblemText", "it cannot do that"), updateIt},
    Row{"REQUEST_TIMEOUT", QT_TRANSLATE_NOOP("ProblemText", "the request took too long to arrive"),
        waitForIt},
    Row{"IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
        QT_TRANSLATE_NOOP("ProblemText", "another change was sent under the same key"),
        QT_TRANSLATE_NOOP("ProblemText", "Edit the entry so that it is sent as a new change.")},
    Row{"USERNAME_TAKEN", QT_TRANSLATE_NOOP("ProblemText", "this user name is taken"),
        QT_TRANSLATE_NOOP("ProblemText", "Choose another one, or sign in with your password.")},
    Row{"OPERATION_IN_PROGRESS", QT_TRANSLATE_NOOP("ProblemText", "it is still working on this change"),
        waitForIt},
    Row{"CLIENT_ENTRY_ID_TAKEN", QT_TRANSLATE_NOOP("ProblemText", "it has this entry with other values"),
        decideIt},
    Row{"ENTRY_DELETED", QT_TRANSLATE_NOOP("ProblemText", "the entry was deleted elsewhere"), decideIt},
    Row{"CURSOR_EXPIRED", QT_TRANSLATE_NOOP("ProblemText", "everything has to be compared anew"), waitForIt},
    Row{"OPERATION_RESULT_EXPIRED", QT_TRANSLATE_NOOP("ProblemText", "it did this long ago"), waitForIt},
    Row{"VERSION_CONFLICT", QT_TRANSLATE_NOOP("ProblemText", "the entry was changed elsewhere meanwhile"),
        decideIt},
    Row{"PAYLOAD_TOO_LARGE", QT_TRANSLATE_NOOP("ProblemText", "the entry is too large"),
        QT_TRANSLATE_NOOP("ProblemText", "Shorten the note, or discard this change.")},
    Row{"URI_TOO_LONG", QT_TRANSLATE_NOOP("ProblemText", "the address of the request is too long"), updateIt},
    Row{"UNSUPPORTED_MEDIA_TYPE", QT_TRANSLATE_NOOP("ProblemText", "it does not know this format"), updateIt},
    Row{"HEADERS_TOO_LARGE", QT_TRANSLATE_NOOP("ProblemText", "the head of the request is too large"),
        updateIt},
    Row{"VALIDATION_FAILED", QT_TRANSLATE_NOOP("ProblemText", "a value is not acceptable to it"), correctIt},
    Row{"SCHEMA_VERSION_UNSUPPORTED",
        QT_TRANSLATE_NOOP("ProblemText", "the server and this program are too far apart in age"), updateIt},
    Row{"DEPENDENCY_FAILED", QT_TRANSLATE_NOOP("ProblemText", "an earlier change of the entry failed"),
        waitForIt},
    Row{"PRECONDITION_REQUIRED", QT_TRANSLATE_NOOP("ProblemText", "the request did not say what it changes"),
        retryIt},
    Row{"RATE_LIMITED", QT_TRANSLATE_NOOP("ProblemText", "it asks to slow down"), waitForIt},
    Row{"INTERNAL_ERROR", QT_TRANSLATE_NOOP("ProblemText", "the server has a fault"), waitForIt},
    Row{"STORAGE_UNAVAILABLE", QT_TRANSLATE_NOOP("ProblemText", "the server cannot save at the moment"),
        waitForIt},
    Row{"NO_REPLY", QT_TRANSLATE_NOOP("ProblemText", "no answer came"), waitForIt},
    Row{"UNEXPECTED_REPLY",
        QT_TRANSLATE_NOOP("ProblemText",
                          "the answer was not this server's, perhaps a network's sign-in page"),
        QT_TRANSLATE_NOOP("ProblemText",
                          "If this network asks you to sign in, do so in a browser; Daybook keeps trying.")},
    Row{"NOT_REACHABLE", QT_TRANSLATE_NOOP("ProblemText", "the server cannot be reached"), checkNetwork},
    Row{"STORE_FAILED", QT_TRANSLATE_NOOP("ProblemText", "the data file cannot be read"),
        QT_TRANSLATE_NOOP("ProblemText", "Check that its folder is there and can be written to.")},
    Row{"ABORTED", QT_TRANSLATE_NOOP("ProblemText", "the attempt was interrupted on this computer"),
        waitForIt},
};

/// The translation context of errorText().
struct ErrorText
{
    Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

/// The only requests of which a refusal is an error are those that sign up and in.
QString refusalText(const QString &code)
{
    if (code.isEmpty())
        return ErrorText::tr("The server refused it.");
    if (code == QLatin1StringView("VALIDATION_FAILED"))
        return ErrorText::tr("The server does not accept this user name, display name or password.");
    const ProblemText problem = problemText(code);
    const QString text = ErrorText::tr("The server refused it: %1.").arg(problem.what);
    return problem.whatToDo.isEmpty() ? text : text + QLatin1Char(' ') + problem.whatToDo;
}

QString translated(const char *text)
{
    return *text ? QCoreApplication::translate("ProblemText", text) : QString();
}

} // namespace

ProblemText problemText(const QString &code)
{
    for (const Row &row : rows) {
        if (code == QLatin1StringView(row.code))
            return {translated(row.what), translated(row.whatToDo)};
    }
    return {code, translated(correctIt)};
}

QString errorText(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::InvalidValue:
        return ErrorText::tr("This is not a number that can be kept: at most 12 digits before and 3 "
                             "behind the decimal separator.");
    case ErrorKind::InvalidTime: return ErrorText::tr("There is no such time here.");
    case ErrorKind::InvalidText: return ErrorText::tr("The category or the note is too long.");
    case ErrorKind::InvalidArgument: return ErrorText::tr("That is not possible: %1.").arg(error.detail);
    case ErrorKind::NotFound: return ErrorText::tr("The entry is no longer there; it was deleted meanwhile.");
    case ErrorKind::Stale:
        return ErrorText::tr("Not possible at this moment: the entry has changed, or is on its way to the "
                             "server. Try again soon.");
    case ErrorKind::StoreUnavailable:
        return ErrorText::tr("The data file cannot be opened. Nothing was saved.");
    case ErrorKind::StoreReadOnly:
        return ErrorText::tr(
            "The data file cannot be written to. Check the permissions of its folder; nothing was saved.");
    case ErrorKind::StoreBusy: return ErrorText::tr("Another program is using the data file. Try again.");
    case ErrorKind::DiskFull:
        return ErrorText::tr("The disk is full; nothing was saved. Make room and try again.");
    case ErrorKind::StoreCorrupt:
        return ErrorText::tr("The data file is damaged. It is left as it is; nothing was saved.");
    case ErrorKind::StoreTooNew:
        return ErrorText::tr("The data file was written by a newer Daybook. Install the latest version.");
    case ErrorKind::Network:
        return ErrorText::tr("The server does not answer. Check its address and the network, and try again.");
    case ErrorKind::Refused: return refusalText(error.code);
    case ErrorKind::Credentials:
        return error.code.isEmpty() ? ErrorText::tr("The session cannot be kept or read on this computer.")
                                    : ErrorText::tr("The user name or the password is wrong.");
    case ErrorKind::Internal: break;
    }
    return ErrorText::tr("Daybook made a mistake; nothing was changed.") +
           (error.detail.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(error.detail));
}

QString readErrorText(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::StoreBusy:
    case ErrorKind::StoreTooNew: return errorText(error);
    case ErrorKind::StoreCorrupt:
        return ErrorText::tr("Not all entries can be shown: the data file is damaged. It is left as it is.");
    default:
        return ErrorText::tr("Not all entries can be shown: the data file cannot be read. Check that its "
                             "folder is there and can be read.");
    }
}

} // namespace daybook
