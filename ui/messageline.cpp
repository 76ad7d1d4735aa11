#include "ui/messageline.h"

#include "ui/glyph.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace daybook {

MessageLine::MessageLine(Closing closing, QWidget *parent) : QWidget(parent), m_text(new QLabel)
{
    const int iconSize = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    auto *icon = new QToolButton; // not a label: it follows a change of palette and scale by itself
    icon->setIcon(glyph(QLatin1StringView("needs-attention"), Tone::Alarm));
    icon->setIconSize({iconSize, iconSize});
    icon->setAutoRaise(true);
    icon->setFocusPolicy(Qt::NoFocus);
    icon->setAttribute(Qt::WA_TransparentForMouseEvents);

    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    if (closing == Closing::ByPerson) {
        auto *close = new QToolButton;
        close->setIcon(glyph(QLatin1StringView("close")));
        close->setAutoRaise(true);
        close->setToolTip(tr("Close this message"));
        close->setAccessibleName(close->toolTip());
        connect(close, &QToolButton::clicked, this, &MessageLine::clear);
        row->addWidget(close, 0, Qt::AlignTop);
    }
    hide();
}

QString MessageLine::text() const { return m_text->text(); }

void MessageLine::show(const QString &text)
{
    m_text->setText(text);
    setAccessibleName(text);
    setVisible(true);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageLine::clear()
{
    m_text->clear();
    hide();
}

} // namespace daybook
