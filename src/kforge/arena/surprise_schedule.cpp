#include "kforge/arena/surprise_schedule.hpp"

#include <algorithm>

namespace kforge {

std::vector<size_t> SurpriseSchedule::before(int round) {
    if (round == m_end) {
        for (int& own : m_rounds_of)
            own = round + static_cast<int>(m_random() % static_cast<uint64_t>(m_length));
        m_end += m_length;
        m_length = m_length * 5 / 2;
    }
    std::vector<size_t> due;
    for (size_t i = 0; i < m_rounds_of.size(); ++i)
        if (m_rounds_of[i] == round) due.push_back(i);
    std::shuffle(due.begin(), due.end(), m_random);
    return due;
}

}  // namespace kforge
