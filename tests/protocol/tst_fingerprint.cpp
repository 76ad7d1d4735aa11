#include "sync/protocol/fingerprint.h"

#include "sync/protocol/messages.h"

#include <QTest>

using namespace daybook;
using namespace Qt::StringLiterals;

namespace {

const ClientEntryId &entryId()
{
    static const ClientEntryId id = *ClientEntryId::fromString(u"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12"_s);
    return id;
}

EntryFields fields(std::string_view value, std::string_view recordedAt, const QString &category,
                   const QString &note)
{
    return {*DecimalValue::fromJsonNumber(value), *RecordedAt::fromRfc3339(recordedAt), category, note};
}

EntryFields usualFields() { return fields("120", "2026-01-13T09:10:00+09:00", {}, {}); }

} // namespace

class TestFingerprint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesFixedVectors_data();
    void matchesFixedVectors();
    void formIsAsDocumented();
    void spellingDoesNotMatter_data();
    void spellingDoesNotMatter();
    void contentMatters_data();
    void contentMatters();
    void typeAndEntryMatter();
};

// The digests were computed outside this program, from the form documented in fingerprint.h.
void TestFingerprint::matchesFixedVectors_data()
{
    QTest::addColumn<OperationType>("type");
    QTest::addColumn<EntryFields>("content");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("create") << OperationType::CreateEntry << usualFields()
                            << QByteArray("dce8a3560e2bce6066920494404a44454400499034ab149896dbf8ae1ceec9da");
    QTest::newRow("update") << OperationType::UpdateEntry << usualFields()
                            << QByteArray("fa14f1b158010b45317716ff119b289762d9b79504ebc17eb571e00866b4c4b3");
    QTest::newRow("delete") << OperationType::DeleteEntry << EntryFields()
                            << QByteArray("239210022bf38d93e989a27a8ca880246ac812de44a2f68f926a6076e857bda8");
    QTest::newRow("lowest, not ASCII")
        << OperationType::CreateEntry
        << fields("-999999999999.999", "0001-01-01T00:00:00Z", u"Größe"_s, u"日本語\n😀"_s)
        << QByteArray("b72ca3c60d1012ee43877a46b18a2887c9eee7f50afcf3d70db25201b26679eb");
    QTest::newRow("latest, a|bc") << OperationType::UpdateEntry
                                  << fields("0.001", "9999-12-31T23:59:59.999Z", u"a"_s, u"bc"_s)
                                  << QByteArray(
                                         "c4962c4de3f431518459479bf667487bb532e415c52816365b76a219c564898b");
    QTest::newRow("latest, ab|c") << OperationType::UpdateEntry
                                  << fields("0.001", "9999-12-31T23:59:59.999Z", u"ab"_s, u"c"_s)
                                  << QByteArray(
                                         "d84df8d11b1083f07c2d034ff7df11b154e67cd0fa9c0ab026b09fd1f34e5308");
}

void TestFingerprint::matchesFixedVectors()
{
    QFETCH(OperationType, type);
    QFETCH(EntryFields, content);
    QFETCH(QByteArray, digest);
    const EntryFields *given = type == OperationType::DeleteEntry ? nullptr : &content;
    QCOMPARE(fingerprint(type, entryId(), given).toHex(), digest);
}

void TestFingerprint::formIsAsDocumented()
{
    const EntryFields content = usualFields();
    QCOMPARE(canonicalForm(OperationType::CreateEntry, entryId(), &content).toHex(),
             QByteArray("646179626f6f6b2d66696e6765727072696e74" // daybook-fingerprint
                        "01"                                     // version
                        "01"                                     // create
                        "4dd2eacd6a864d08a7abfd53a05b8c12"       // clientEntryId
                        "000000000001d4c0"                       // 120000 thousandths
                        "0000019bb4b01fc0"                       // 2026-01-13T00:10:00Z
                        "00000000"                               // category
                        "00000000"));                            // note
}

void TestFingerprint::spellingDoesNotMatter_data()
{
    QTest::addColumn<QByteArray>("members");
    const auto row = [](const QByteArray &members) { QTest::newRow(members.constData()) << members; };
    row(R"("value":1.5,"recordedAt":"2026-01-13T09:10:00+02:00")");
    row(R"("value":1.50,"recordedAt":"2026-01-13T07:10:00Z")");
    row(R"("value":1.5e0,"recordedAt":"2026-01-13t07:10:00.000z")");
    row(R"("value":15E-1,"recordedAt":"2026-01-13T07:10:00.0009Z")");
    row(R"("value":0.00015e+4,"recordedAt":"2026-01-12T23:40:00-07:30")");
    row(R"("note":null,"recordedAt":"2026-01-13T07:10:00-00:00","category":null,"value":1.5000)");
    row("  \"note\" : \"\" ,\n\"category\":\"\",\t\"value\":1.5, \"recordedAt\":\"2026-01-13T07:10:00Z\" ");
}

void TestFingerprint::spellingDoesNotMatter()
{
    QFETCH(QByteArray, members);
    const auto decoded = decodeUpdateEntry(R"({"schemaVersion":1,)" + members + '}');
    const auto *request = std::get_if<EntryRequest>(&decoded);
    QVERIFY(request);
    const EntryFields plain = fields("1.5", "2026-01-13T07:10:00Z", {}, {});
    QCOMPARE(fingerprint(OperationType::UpdateEntry, entryId(), &request->fields),
             fingerprint(OperationType::UpdateEntry, entryId(), &plain));
}

void TestFingerprint::contentMatters_data()
{
    QTest::addColumn<EntryFields>("content");
    const char *const time = "2026-01-13T09:10:00+09:00";
    QTest::newRow("value") << fields("120.001", time, {}, {});
    QTest::newRow("sign") << fields("-120", time, {}, {});
    QTest::newRow("millisecond") << fields("120", "2026-01-13T09:10:00.001+09:00", {}, {});
    QTest::newRow("same wall clock elsewhere") << fields("120", "2026-01-13T09:10:00+08:00", {}, {});
    QTest::newRow("category") << fields("120", time, u"a"_s, {});
    QTest::newRow("the same as note") << fields("120", time, {}, u"a"_s);
    QTest::newRow("white space") << fields("120", time, u" "_s, {});
}

void TestFingerprint::contentMatters()
{
    QFETCH(EntryFields, content);
    const EntryFields other = usualFields();
    QVERIFY(fingerprint(OperationType::CreateEntry, entryId(), &content) !=
            fingerprint(OperationType::CreateEntry, entryId(), &other));
}

void TestFingerprint::typeAndEntryMatter()
{
    const EntryFields content = usualFields();
    const auto otherId = *ClientEntryId::fromString(u"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c13"_s);
    const QByteArray create = fingerprint(OperationType::CreateEntry, entryId(), &content);
    QCOMPARE(create.size(), 32);
    QVERIFY(create != fingerprint(OperationType::UpdateEntry, entryId(), &content));
    QVERIFY(create != fingerprint(OperationType::CreateEntry, otherId, &content));
    QVERIFY(fingerprint(OperationType::DeleteEntry, entryId(), nullptr) !=
            fingerprint(OperationType::DeleteEntry, otherId, nullptr));
}

QTEST_APPLESS_MAIN(TestFingerprint)
#include "tst_fingerprint.moc"
