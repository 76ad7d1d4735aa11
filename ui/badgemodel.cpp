#include "ui/badgemodel.h"

#include "models/items/entrytablemodel.h"
#include "ui/syncbadge.h"

#include <utility>

namespace daybook {

BadgeModel::BadgeModel(const Clock &clock, QObject *parent) : QIdentityProxyModel(parent), m_clock(clock) {}

void BadgeModel::setHold(const QString &hold)
{
    if (std::exchange(m_hold, hold) != hold && rowCount() > 0)
        Q_EMIT dataChanged(index(0, EntryTableModel::Badge), index(rowCount() - 1, EntryTableModel::Badge));
}

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
    case Qt::DisplayRole: return badgeWords(status, m_clock.now(), m_hold);
    case Qt::DecorationRole: return badgeIcon(status.state);
    default: return badgeSentence(status, m_clock.now(), m_hold);
    }
}

} // namespace daybook
