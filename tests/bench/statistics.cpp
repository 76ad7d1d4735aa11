#include "tests/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daybook {

double Durations::total() const { return std::accumulate(m_values.begin(), m_values.end(), 0.0); }

double Durations::percentile(double percent) const
{
    if (m_values.empty())
        return 0;
    const auto size = static_cast<double>(m_values.size());
    const double rank = std::clamp(std::ceil(percent / 100 * size), 1.0, size);
    std::vector<double> sorted = m_values;
    const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
}

} // namespace daybook
