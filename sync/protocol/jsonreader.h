#pragma once

#include "sync/protocol/problem.h"

#include <QByteArray>
#include <QString>

#include <string>
#include <variant>
#include <vector>

namespace daybook {

/// JSON nested deeper is refused.
constexpr int maximumJsonDepth = 32;

struct JsonMember;
struct JsonValue;

/// A number as it was written, with all its digits.
struct JsonNumber
{
    std::string text;
};

using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;

/// A JSON value that has lost nothing of what was written: numbers keep their digits, members their order.
struct JsonValue
{
    std::variant<std::nullptr_t, bool, JsonNumber, QString, JsonArray, JsonObject> content;

    bool isNull() const { return std::holds_alternative<std::nullptr_t>(content); }
};

struct JsonMember
{
    QString name;
    JsonValue value;
};

/// Reads one JSON text strictly (RFC 8259, UTF-8 without a byte order mark). What is no such text, names a
/// member twice in one object or nests deeper than maximumJsonDepth is MALFORMED_JSON. A number whose
/// exponent is beyond any use is VALIDATION_FAILED with its JSON Pointer.
Decoded<JsonValue> readJson(const QByteArray &text);

/// \p name as one step of a JSON Pointer (RFC 6901), with the slash before it.
QString pointerStep(const QString &name);

} // namespace daybook
