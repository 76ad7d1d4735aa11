#pragma once

#include "models/domain/entry.h"

#include <QList>

namespace daybook {

enum class EntryField { Value, RecordedAt, Category, Note };

/// What became of a three-way merge. `fields` holds the merged values, with *mine* where a field is in
/// conflict.
struct MergeOutcome
{
    EntryFields fields;
    QList<EntryField> conflicts; ///< fields that both sides changed, to different values

    bool isClean() const { return conflicts.isEmpty(); }
};

/// Field by field: what only one side changed is taken from it; changed on both sides to the same value is no
/// conflict. Two spellings of one instant (other offset) count as the same time, with mine kept.
MergeOutcome mergeFields(const EntryFields &base, const EntryFields &mine, const EntryFields &theirs);

} // namespace daybook
