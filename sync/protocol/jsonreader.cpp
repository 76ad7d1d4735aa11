#include "sync/protocol/jsonreader.h"

#include <QSet>
#include <QStringDecoder>

#include <boost/json/basic_parser_impl.hpp>

#include <limits>
#include <utility>

namespace daybook {

namespace {

using boost::json::error_code;
using boost::json::string_view;

/// Makes the tree out of the parser's events. The names are those that basic_parser calls.
class TreeBuilder
{
public:
    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

    bool on_document_begin(error_code &) { return true; }
    bool on_document_end(error_code &) { return true; }
    bool on_object_begin(error_code &) { return open({JsonObject()}); }
    bool on_object_end(std::size_t, error_code &) { return close(); }
    bool on_array_begin(error_code &) { return open({JsonArray()}); }
    bool on_array_end(std::size_t, error_code &) { return close(); }
    bool on_key_part(string_view part, std::size_t, error_code &) { return collect(part); }
    bool on_key(string_view part, std::size_t, error_code &error);
    bool on_string_part(string_view part, std::size_t, error_code &) { return collect(part); }
    bool on_string(string_view part, std::size_t, error_code &) { return collect(part) && add({takeText()}); }
    bool on_number_part(string_view part, error_code &) { return collect(part); }
    // The parser's own numbers are rounded to 64 bits; only the digits count.
    bool on_int64(std::int64_t, string_view part, error_code &) { return addNumber(part); }
    bool on_uint64(std::uint64_t, string_view part, error_code &) { return addNumber(part); }
    bool on_double(double, string_view part, error_code &) { return addNumber(part); }
    bool on_bool(bool value, error_code &) { return add({value}); }
    bool on_null(error_code &) { return add({nullptr}); }
    bool on_comment_part(string_view, error_code &) { return false; }
    bool on_comment(string_view, error_code &) { return false; }

    JsonValue takeRoot() { return std::move(m_root); }
    /// The member that stood twice; empty when that was not what ended the reading.
    const std::optional<QString> &duplicate() const { return m_duplicate; }
    /// Where the value that was being read stands.
    QString pointer() const;

private:
    /// An object or array whose end has not been read yet.
    struct Container
    {
        JsonValue value;
        QString name; ///< of the member being read
        QSet<QString> names;
    };

    bool open(JsonValue empty)
    {
        m_open.push_back({std::move(empty), {}, {}});
        return true;
    }

    bool close()
    {
        JsonValue value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value));
    }

    bool collect(string_view part)
    {
        m_part.append(part.data(), part.size());
        return true;
    }

    QString takeText();

    bool addNumber(string_view part) { return collect(part) && add({JsonNumber{std::exchange(m_part, {})}}); }

    bool add(JsonValue value);

    JsonValue m_root;
    std::vector<Container> m_open;
    std::string m_part; ///< what has come so far of a string, a name or a number
    std::optional<QString> m_duplicate;
};

/// Not QString::fromUtf8(), which takes a leading U+FEFF for a byte order mark and drops it.
QString TreeBuilder::takeText()
{
    using Flag = QStringDecoder::Flag;
    QStringDecoder decoder(QStringDecoder::Utf8, Flag::Stateless | Flag::ConvertInitialBom);
    QString text = decoder.decode(QByteArrayView(m_part));
    m_part.clear();
    return text;
}

bool TreeBuilder::on_key(string_view part, std::size_t, error_code &error)
{
    collect(part);
    Container &object = m_open.back();
    object.name = takeText();
    if (!object.names.contains(object.name)) {
        object.names.insert(object.name);
        return true;
    }
    m_duplicate = object.name;
    error = boost::json::error::syntax;
    return false;
}

bool TreeBuilder::add(JsonValue value)
{
    if (m_open.empty())
        m_root = std::move(value);
    else if (auto *array = std::get_if<JsonArray>(&m_open.back().value.content))
        array->push_back(std::move(value));
    else if (auto *object = std::get_if<JsonObject>(&m_open.back().value.content))
        object->push_back({m_open.back().name, std::move(value)});
    return true;
}

QString TreeBuilder::pointer() const
{
    QString pointer;
    for (const Container &container : m_open) {
        const auto *array = std::get_if<JsonArray>(&container.value.content);
        pointer += pointerStep(array ? QString::number(array->size()) : container.name);
    }
    return pointer;
}

Problem malformed(const QString &detail)
{
    return {.code = ProblemCode::MalformedJson, .detail = QStringLiteral("The body is not JSON: ") + detail};
}

} // namespace

QString pointerStep(const QString &name)
{
    QString step = name;
    step.replace(QLatin1Char('~'), QLatin1String("~0")).replace(QLatin1Char('/'), QLatin1String("~1"));
    return QLatin1Char('/') + step;
}

Decoded<JsonValue> readJson(const QByteArray &text)
{
    boost::json::parse_options options;
    options.max_depth = maximumJsonDepth;
    boost::json::basic_parser<TreeBuilder> parser(options);
    error_code error;
    const auto size = static_cast<std::size_t>(text.size());
    const std::size_t read = parser.write_some(false, text.constData(), size, error);
    TreeBuilder &builder = parser.handler();
    if (builder.duplicate())
        return malformed(QStringLiteral("the member \"%1\" stands twice.").arg(*builder.duplicate()));
    if (error == boost::json::error::exponent_overflow)
        return validationFailed({{builder.pointer(), QStringLiteral("the exponent is out of range")}});
    if (error)
        return malformed(QString::fromStdString(error.message()) + QLatin1Char('.'));
    if (read != size)
        return malformed(QStringLiteral("there is text behind it."));
    return builder.takeRoot();
}

} // namespace daybook
