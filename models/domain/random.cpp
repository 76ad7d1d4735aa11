#include "models/domain/random.h"

#include <QRandomGenerator>

namespace daybook {

double Random::unit()
{
    return static_cast<double>(bits() >> 11U) * 0x1p-53; // 53 bits are what a double holds exactly
}

quint64 SystemRandom::bits() { return QRandomGenerator::system()->generate64(); }

} // namespace daybook
