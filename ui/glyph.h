#pragma once

#include <QIcon>

namespace daybook {

/// What a glyph's colour says beside its shape; each is legible on light and on dark palettes.
enum class Tone {
    Text,        ///< as the text around it
    Quiet,       ///< nothing to see here
    Information, ///< under way
    Caution,     ///< later than hoped for
    Alarm,       ///< the person has to act
    Decision,    ///< the person has to choose
};

QColor toneColor(Tone tone, const QPalette &palette);

/// One of `resources/icons` in the colours of the palette that is current when it is painted.
QIcon glyph(QLatin1StringView name, Tone tone = Tone::Text);

/// The program's own icon.
QIcon programIcon();

} // namespace daybook
