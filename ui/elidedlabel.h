#pragma once

#include <QLabel>

namespace daybook {

/// A one-line label that gives way: what has no room is elided, and stands in the tooltip.
class ElidedLabel final : public QLabel
{
    Q_OBJECT

public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace daybook
