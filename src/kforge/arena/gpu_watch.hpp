// GpuWatch: what happens on a GPU besides the timed calls: clocks and heat, other users, work that goes on
// while the candidate is stopped, calls that begin before the clock does.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/gpu.hpp"
#include "kforge/arena/gpu_monitor.hpp"
#include "kforge/arena/verdict.hpp"

namespace kforge {

class GpuWatch {
  public:
    explicit GpuWatch(const Gpu* gpu) : m_gpu(gpu) {}  // null: nothing to watch

    void note_conditions(const char* when, std::vector<std::string>& notes);
    // The most that was seen counts: who has used the GPU once may come back.
    void note_company(const GpuCompany& company);
    // One more call of which it was found out whether the GPU was at work before it began.
    void note_call(bool restless);
    std::optional<Verdict> find_restless(std::vector<std::string>& notes) const;
    // The clock starts when the player says that it is awake. What takes it longer to say so than the
    // baseline may have begun already: by how much its time is to be longer.
    double late_start_ms(const std::vector<double>& candidate_ms, const std::vector<double>& baseline_ms,
                         std::vector<std::string>& notes);
    const nlohmann::json& report() const { return m_report; }

  private:
    const Gpu* m_gpu;
    nlohmann::json m_report;
    std::optional<GpuCompany> m_company;  // nothing: not asked
    int m_calls = 0, m_restless = 0;
};

}  // namespace kforge
