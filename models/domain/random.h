#pragma once

#include <QtGlobal>

#include <random>

namespace daybook {

/// Seam: where random bits come from, so that a whole run can be repeated from one seed.
/// **Thread:** an object belongs to one thread.
class Random
{
public:
    virtual ~Random() = default;
    virtual quint64 bits() = 0;

    /// Uniform in [0, 1).
    double unit();
};

/// The operating system's generator; fit for ids and tokens.
class SystemRandom final : public Random
{
public:
    quint64 bits() override;
};

/// A repeatable sequence, for tests and simulations. Never for ids that leave the machine.
class SeededRandom final : public Random
{
public:
    explicit SeededRandom(quint64 seed) : m_engine(seed) {}
    quint64 bits() override { return m_engine(); }

private:
    std::mt19937_64 m_engine;
};

} // namespace daybook
