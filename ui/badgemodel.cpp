#include "ui/badgemodel.h"

#include "models/items/entrytablemodel.h"
#include "ui/syncbadge.h"

namespace daybook {

BadgeModel::BadgeModel(const Clock &clock, QObject *parent) : QIdentityProxyModel(parent), m_clock(clock) {}

QVariant BadgeModel::data(const QModelIndex &index, int role) const
{
    const bool isBadge = index.isValid() && index.column() == EntryTableModel::Badge;
    const bool isWorded = role == Qt::DisplayRole || role == Qt::DecorationRole || role == Qt::ToolTipRole ||
                          role == Qt::AccessibleTextRole;
    if (!isBadge || !isWorded)
        return QIdentityProxyModel::data(index, role);
    const QVariant value = QIdentityProxyModel::data(index, EntryTableModel::SyncStatusRole);
    if (!value.isValid())
        return {};
    const auto status = value.value<SyncStatus>();
    switch (role) {
    case Qt::DisplayRole: return badgeWords(status, m_clock.now());
    case Qt::DecorationRole: return badgeIcon(status.state);
    default: return badgeSentence(status, m_clock.now());
    }
}

} // namespace daybook
