#include "models/domain/merge.h"

namespace daybook {

namespace {

bool same(const RecordedAt &a, const RecordedAt &b) { return a.instant == b.instant; }

template<typename T>
bool same(const T &a, const T &b)
{
    return a == b;
}

} // namespace

MergeOutcome mergeFields(const EntryFields &base, const EntryFields &mine, const EntryFields &theirs)
{
    MergeOutcome outcome{mine, {}};
    const auto merge = [&](auto EntryFields::*member, EntryField field) {
        const bool mineChanged = !same(base.*member, mine.*member);
        const bool theirsChanged = !same(base.*member, theirs.*member);
        if (!theirsChanged || same(mine.*member, theirs.*member))
            return;
        if (mineChanged)
            outcome.conflicts.append(field);
        else
            outcome.fields.*member = theirs.*member;
    };
    merge(&EntryFields::value, EntryField::Value);
    merge(&EntryFields::recordedAt, EntryField::RecordedAt);
    merge(&EntryFields::category, EntryField::Category);
    merge(&EntryFields::note, EntryField::Note);
    return outcome;
}

} // namespace daybook
