#include "ui/glyph.h"

#include <QBuffer>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QImageReader>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>

// Outside the namespace, as the macro asks for: a static library's resources are not linked in by themselves.
static void loadResources() { Q_INIT_RESOURCE(daybook); }

namespace daybook {

namespace {

/// Paints one SVG whose strokes are `currentColor`, with that colour taken from the palette at the time.
class GlyphEngine final : public QIconEngine
{
public:
    GlyphEngine(const QString &path, Tone tone) : m_path(path), m_tone(tone) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const qreal scale = painter->device()->devicePixelRatio();
        painter->drawPixmap(rect, drawn(rect.size() * scale, color(mode)));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        return drawn(size, color(mode));
    }

    QIconEngine *clone() const override { return new GlyphEngine(m_path, m_tone); }

private:
    QColor color(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::WindowText);
        return mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                       : toneColor(m_tone, palette);
    }

    QPixmap drawn(const QSize &size, const QColor &color) const
    {
        const QString key = m_path + color.name() + QString::number(size.width()) + QLatin1Char('x') +
                            QString::number(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        QFile file(m_path);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QByteArray svg = file.readAll().replace("currentColor", color.name().toLatin1());
        QBuffer buffer(&svg);
        QImageReader reader(&buffer, "svg");
        reader.setScaledSize(size);
        pixmap = QPixmap::fromImage(reader.read());
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QString m_path;
    Tone m_tone;
};

} // namespace

QColor toneColor(Tone tone, const QPalette &palette)
{
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    switch (tone) {
    case Tone::Text: break;
    case Tone::Quiet: return dark ? QColor(0x8f9a99) : QColor(0x7a8584);
    case Tone::Information: return dark ? QColor(0x7ab8ff) : QColor(0x1c62b0);
    case Tone::Caution: return dark ? QColor(0xffc04d) : QColor(0x945600);
    case Tone::Alarm: return dark ? QColor(0xff8f85) : QColor(0xb3261e);
    case Tone::Decision: return dark ? QColor(0xd6a5ff) : QColor(0x7b3fa0);
    }
    return palette.color(QPalette::WindowText);
}

QIcon glyph(QLatin1StringView name, Tone tone)
{
    loadResources();
    return QIcon(new GlyphEngine(QStringLiteral(":/daybook/icons/%1.svg").arg(name), tone));
}

QIcon programIcon()
{
    loadResources();
    return QIcon(QStringLiteral(":/daybook/icons/daybook.svg"));
}

} // namespace daybook
