#pragma once

#include "models/domain/clock.h"

#include <QIdentityProxyModel>

namespace daybook {

/// The entry table as people meet it: its sync status as shape, words and sentence.
/// The sentence is made when it is asked for, so that "next try in 40 s" is true then.
class BadgeModel final : public QIdentityProxyModel
{
    Q_OBJECT

public:
    BadgeModel(const Clock &clock, QObject *parent);
    /// What keeps everything from being sent, as in badgeSentence(); empty where nothing does.
    void setHold(const QString &hold);
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    const Clock &m_clock;
    QString m_hold;
};

} // namespace daybook
