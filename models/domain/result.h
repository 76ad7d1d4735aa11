#pragma once

#include <QString>

#include <cstdlib>
#include <utility>
#include <variant>

namespace daybook {

/// What went wrong, as the program has to tell it apart. Only `ui` and `app/cli` turn a kind into words for
/// people.
enum class ErrorKind {
    InvalidValue,     ///< not a number, more than three fraction digits, or out of range
    InvalidTime,      ///< no such instant, or an offset is missing
    InvalidText,      ///< too long, U+0000 or broken Unicode
    InvalidArgument,  ///< any other input that makes no sense
    NotFound,         ///< no such entry, operation or account here
    Stale,            ///< somebody was faster: the row is no longer in the state the caller started from
    StoreUnavailable, ///< the file or its folder cannot be opened or made
    StoreReadOnly,    ///< the file, its folder or the file system refuses writing
    StoreBusy,        ///< another process kept the write lock too long
    DiskFull,         ///< no room left; nothing was written
    StoreCorrupt,     ///< the file is damaged or no database
    StoreTooNew,      ///< written by a newer version of the program
    Network,          ///< no usable answer from the server
    Refused,          ///< the server answered no; the detail says why
    Credentials,      ///< user name, password or session not accepted, or no place to keep the session
    Internal,         ///< a fault of this program
};

/// An error: its kind for the program, its detail (English, one sentence, no secrets) for logs and
/// developers.
struct Error
{
    ErrorKind kind = ErrorKind::Internal;
    QString detail;
    QString code = {}; ///< the problem code behind it, from the server or the client; mostly there is none

    bool operator==(const Error &) const = default;
};

/// A value or the error in its place. Asking for the one that is not there ends the process.
template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T &value() const &
    {
        return ok() ? *std::get_if<0>(&m_state) : (std::abort(), *std::get_if<0>(&m_state));
    }
    T &value() & { return ok() ? *std::get_if<0>(&m_state) : (std::abort(), *std::get_if<0>(&m_state)); }
    T &&value() && { return std::move(value()); }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    T &&operator*() && { return std::move(value()); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

    const Error &error() const
    {
        return ok() ? (std::abort(), *std::get_if<1>(&m_state)) : *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an error.
template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error &error() const { return m_ok ? (std::abort(), m_error) : m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace daybook
