#pragma once

#include "tests/server/servicefixture.h"

namespace daybook {

inline const QByteArray entryOne = "11111111-1111-4111-8111-111111111111";
inline const QByteArray entryTwo = "22222222-2222-4222-8222-222222222222";

enum Who { Ann, Bob };

/// One request and what must come back.
struct Step
{
    Who who = Ann;
    QByteArray method = {};
    QByteArray target = {};
    QByteArray key = {};
    QByteArray ifMatch = {};
    QByteArray body = {};
    int status = 0;
    QByteArray says = {};     ///< the entity tag of a success, the code of a problem
    QByteArray replayed = {}; ///< Idempotent-Replayed; empty where the reply is not stored

    Step by(Who other) const;
    Step gets(int expectedStatus, const QByteArray &tagOrCode, const QByteArray &expectedReplayed = {}) const;
};

Step create(const QByteArray &key, const QByteArray &value, const QByteArray &id = entryOne);
Step update(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &value,
            const QByteArray &id = entryOne);
Step remove(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &id = entryOne);
Step read(const QByteArray &id = entryOne);
Step receipt(const QByteArray &key);

QByteArray createJson(const QByteArray &id, const QByteArray &value, const QByteArray &note = {});
ServerRequest requestOf(const Step &step, const Person &person);

/// Two people who have signed in, and the database that knows them: made once, used for many tests.
struct TwoPeople
{
    QByteArray database;
    QList<Person> people; ///< by Who

    static TwoPeople signedUp();
};

/// A running service that two people talk to.
class Conversation : public ServiceFixture
{
public:
    explicit Conversation(const TwoPeople &known);

    ServerRequest request(const Step &step) const { return requestOf(step, m_people[step.who]); }
    /// Asks step by step and checks each answer.
    void play(const QList<Step> &steps);
    /// `username version value` of each entry, with `deleted` behind a tombstone.
    QString entries() const;

private:
    const QList<Person> m_people;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::Step)
