#include "sync/protocol/fingerprint.h"
#include "sync/protocol/messages.h"

#include <QTest>

#include <rapidcheck.h>

using namespace daybook;

namespace {

using rc::Gen;
namespace gen = rc::gen;

QByteArray jsonText(const QString &text)
{
    QByteArray json = "\"";
    for (const QChar unit : text)
        json += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    return json + '"';
}

/// Any storable text: all of Unicode but U+0000 and surrogates, ASCII most often, and now and then what might
/// be taken for a byte order mark.
Gen<QString> texts(int maximumCodePoints)
{
    const auto codePoint = gen::weightedOneOf<char32_t>({{4, gen::inRange<char32_t>(0x01, 0x80)},
                                                         {1, gen::inRange<char32_t>(0x80, 0xD800)},
                                                         {1, gen::inRange<char32_t>(0xE000, 0x110000)},
                                                         {1, gen::element<char32_t>(0xFEFF, 0xFFFE)}});
    return gen::map(
        gen::container<std::u32string>(codePoint), [maximumCodePoints](const std::u32string &points) {
            return QString::fromStdU32String(points.substr(0, static_cast<size_t>(maximumCodePoints)));
        });
}

Gen<DecimalValue> values()
{
    constexpr qint64 most = DecimalValue::maximumThousandths;
    const auto thousandths =
        gen::oneOf(gen::inRange<qint64>(-most, most + 1), gen::inRange<qint64>(-2000, 2000),
                   gen::element<qint64>(-most, most, 0));
    return gen::map(thousandths, [](qint64 value) { return *DecimalValue::fromThousandths(value); });
}

/// Any time so far within the years 0001 to 9999 that it is in them at every offset.
Gen<RecordedAt> times()
{
    constexpr qint64 first = -62'135'510'400; // 0001-01-02T00:00:00Z in seconds
    constexpr qint64 end = 253'402'214'400;   // 9999-12-31T00:00:00Z
    const auto wholeSeconds = gen::map(gen::inRange<qint64>(first, end), [](qint64 at) { return at * 1000; });
    return gen::apply(
        [](qint64 at, int offset) {
            return RecordedAt{fromEpochMilliseconds(at), std::chrono::minutes(offset)};
        },
        gen::oneOf(wholeSeconds, gen::inRange<qint64>(first * 1000, end * 1000)), gen::inRange(-1439, 1440));
}

Gen<ClientEntryId> ids()
{
    return gen::map(gen::arbitrary<quint32>(), [](quint32 bits) {
        return ClientEntryId(QUuid(bits, 0xFEDC, 0x4000, 0x80, 0, 0, 0, 0, 0, 0, 1));
    });
}

Gen<EntryFields> anyFields()
{
    return gen::apply(
        [](DecimalValue value, RecordedAt at, const QString &category, const QString &note) {
            return EntryFields{value, at, category, note};
        },
        values(), times(), texts(maximumCategoryCodePoints), texts(maximumNoteCodePoints));
}

/// Out of so few that two of them are often equal, or differ only in where one text ends and the next begins.
Gen<EntryFields> fewFields()
{
    const auto text = gen::map(gen::element<std::string>("", "a", "b", "ab"),
                               [](const std::string &ascii) { return QString::fromStdString(ascii); });
    return gen::apply(
        [](qint64 value, qint64 at, int offset, const QString &category, const QString &note) {
            return EntryFields{*DecimalValue::fromThousandths(value),
                               {fromEpochMilliseconds(at), std::chrono::minutes(offset)},
                               category,
                               note};
        },
        gen::inRange<qint64>(0, 2), gen::inRange<qint64>(0, 2), gen::inRange(-1, 2), text, text);
}

bool storedAlike(const EntryFields &a, const EntryFields &b)
{
    return a.value == b.value && a.recordedAt.instant == b.recordedAt.instant && a.category == b.category &&
           a.note == b.note;
}

/// The same fields, spelled as no encoder of ours would: another exponent, another offset, all texts escaped.
QByteArray otherSpelling(const EntryFields &fields, int exponent, int offset)
{
    const RecordedAt at{fields.recordedAt.instant, std::chrono::minutes(offset)};
    const qint64 thousandths = fields.value.thousandths();
    QByteArray digits = QByteArray::number(thousandths);
    if (thousandths != 0) // no leading zeros
        digits +=
            exponent < 0 ? QByteArray(-exponent, '0') + 'e' + QByteArray::number(exponent - 3) : ".0E-03";
    return "{ \"note\" : " + jsonText(fields.note) + ",\"recordedAt\":" + jsonText(at.toRfc3339()) +
           ",\n\"category\":\t" + jsonText(fields.category) + ",\"value\":" + digits +
           ",\"\\u0073chemaVersion\":1e0 }\r\n";
}

} // namespace

namespace daybook {

void showValue(const EntryFields &fields, std::ostream &out)
{
    out << encodeUpdateEntry(fields).toStdString();
}
void showValue(const ClientEntryId &id, std::ostream &out) { out << id.toString().toStdString(); }

} // namespace daybook

class TestProtocolProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsComeBack();
    void entriesComeBack();
    void equalFingerprintsMeanEqualContent();
    void spellingDoesNotMatter();
    void damagedBodiesAreRefusedOrReadAlike();
};

void TestProtocolProperties::requestsComeBack()
{
    const bool holds = rc::check("a create request comes back as it was", [] {
        const auto id = *ids();
        const auto fields = *anyFields();
        const auto decoded = decodeCreateEntry(encodeCreateEntry(id, fields));
        RC_ASSERT(std::holds_alternative<EntryRequest>(decoded));
        RC_ASSERT((std::get<EntryRequest>(decoded) == EntryRequest{id, fields}));
        RC_ASSERT(encodeCreateEntry(id, std::get<EntryRequest>(decoded).fields) ==
                  encodeCreateEntry(id, fields));
    });
    QVERIFY(holds);
}

void TestProtocolProperties::entriesComeBack()
{
    const bool holds = rc::check("an entry in a reply comes back as it was", [] {
        EntryResource entry;
        entry.entryId = QStringLiteral("e");
        entry.clientEntryId = *ids();
        entry.version = *gen::inRange<qint64>(1, 1'000'000'000'000);
        entry.fields = *anyFields();
        entry.createdAt = (*times()).instant;
        entry.updatedAt = (*times()).instant;
        RC_ASSERT(decodeEntry(encodeEntry(entry)) == entry);
    });
    QVERIFY(holds);
}

void TestProtocolProperties::equalFingerprintsMeanEqualContent()
{
    const bool holds = rc::check("two fingerprints are equal exactly when what is stored is", [] {
        const auto id = *ids();
        const auto a = *fewFields();
        const auto b = *gen::oneOf(fewFields(), gen::just(a));
        RC_CLASSIFY(storedAlike(a, b), "alike");
        RC_ASSERT((fingerprint(OperationType::UpdateEntry, id, &a) ==
                   fingerprint(OperationType::UpdateEntry, id, &b)) == storedAlike(a, b));
    });
    QVERIFY(holds);
}

void TestProtocolProperties::spellingDoesNotMatter()
{
    const bool holds = rc::check("another spelling is the same request", [] {
        const auto id = *ids();
        const auto fields = *anyFields();
        const auto body = otherSpelling(fields, *gen::inRange(-9, 1), *gen::inRange(-1439, 1440));
        const auto decoded = decodeUpdateEntry(body);
        RC_LOG() << body.toStdString();
        RC_ASSERT(std::holds_alternative<EntryRequest>(decoded));
        const auto &read = std::get<EntryRequest>(decoded).fields;
        RC_ASSERT(storedAlike(read, fields));
        RC_ASSERT(fingerprint(OperationType::UpdateEntry, id, &read) ==
                  fingerprint(OperationType::UpdateEntry, id, &fields));
    });
    QVERIFY(holds);
}

void TestProtocolProperties::damagedBodiesAreRefusedOrReadAlike()
{
    const bool holds =
        rc::check("a body with one byte changed is refused, or means what its own encoding means", [] {
            QByteArray body = encodeUpdateEntry(*anyFields());
            body[*gen::inRange<qsizetype>(0, body.size())] = *gen::arbitrary<char>();
            const auto decoded = decodeUpdateEntry(body);
            if (const auto *problem = std::get_if<Problem>(&decoded)) {
                RC_ASSERT(problem->status() == 400 || problem->status() == 422);
                return;
            }
            const auto &request = std::get<EntryRequest>(decoded);
            RC_ASSERT(std::get<EntryRequest>(decodeUpdateEntry(encodeUpdateEntry(request.fields))) ==
                      request);
        });
    QVERIFY(holds);
}

QTEST_APPLESS_MAIN(TestProtocolProperties)
#include "tst_protocolproperties.moc"
