#pragma once

#include "models/domain/result.h"

#include <QString>

namespace daybook {

/// A code of the protocol, or of the client itself, in the words of people.
struct ProblemText
{
    QString what;     ///< a clause to stand behind a colon: "the value is too large"
    QString whatToDo; ///< a sentence; empty where there is nothing to do but wait
};

/// For a text that is no known code, that text itself.
ProblemText problemText(const QString &code);

/// What went wrong with something asked for, and what to do, in a sentence or two.
QString errorText(const Error &error);
/// The same where entries could only not be read.
QString readErrorText(const Error &error);

} // namespace daybook
