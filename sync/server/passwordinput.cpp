#include "sync/server/passwordinput.h"

#include <QStringDecoder>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <termios.h>
#include <unistd.h>

namespace daybook {
namespace {

constexpr qsizetype longestLine = 4096; // bytes; far above the longest password

/// No echo of what is typed, until the end of its life. An interrupt only ends the reading, so that the
/// terminal is never left without echo.
class HiddenTyping
{
public:
    HiddenTyping()
    {
        struct sigaction interrupt = {};
        interrupt.sa_handler = [](int) {};
        sigaction(SIGINT, &interrupt, &m_interrupt);
        sigaction(SIGTERM, &interrupt, &m_terminate);
        tcgetattr(STDIN_FILENO, &m_terminal);
        termios hidden = m_terminal;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    }
    ~HiddenTyping()
    {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_terminal);
        sigaction(SIGTERM, &m_terminate, nullptr);
        sigaction(SIGINT, &m_interrupt, nullptr);
        std::fputc('\n', stderr);
    }
    Q_DISABLE_COPY_MOVE(HiddenTyping)

private:
    termios m_terminal = {};
    struct sigaction m_interrupt = {};
    struct sigaction m_terminate = {};
};

Result<QByteArray> readLine()
{
    QByteArray line;
    for (char byte = 0; line.size() < longestLine;) {
        const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
        if (count < 0)
            return Error{ErrorKind::InvalidArgument,
                         errno == EINTR ? QStringLiteral("Interrupted before the password was complete.")
                                        : QStringLiteral("The password cannot be read from standard input.")};
        if (count == 0 || byte == '\n')
            break;
        line += byte;
    }
    return line;
}

} // namespace

Result<QString> readPassword(const char *prompt)
{
    const auto line = [prompt] {
        if (!isatty(STDIN_FILENO))
            return readLine();
        const HiddenTyping hidden;
        std::fputs(prompt, stderr);
        return readLine();
    }();
    if (!line)
        return line.error();
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString password = decoder(*line);
    if (decoder.hasError())
        return Error{ErrorKind::InvalidText, QStringLiteral("The password is not UTF-8 text.")};
    if (password.isEmpty())
        return Error{ErrorKind::InvalidArgument,
                     QStringLiteral("There is no password: write it to standard input, as one line.")};
    return password;
}

} // namespace daybook
