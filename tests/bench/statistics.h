#pragma once

#include <vector>

namespace daybook {

/// Durations of one kind of work, in milliseconds.
class Durations
{
public:
    void add(double milliseconds) { m_values.push_back(milliseconds); }
    int count() const { return static_cast<int>(m_values.size()); }
    double total() const;
    /// The nearest rank: the smallest measured value that at least \p percent of all do not exceed. 0 where
    /// nothing was measured.
    double percentile(double percent) const;
    double median() const { return percentile(50); }

private:
    std::vector<double> m_values;
};

} // namespace daybook
