#include "kforge/arena/gpu_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

constexpr int k_least_restless = 3;  // calls
constexpr double k_restless = 0.5;   // of all
constexpr double k_late_ms = 0.03;

}  // namespace

void GpuWatch::note_conditions(const char* when, std::vector<std::string>& notes) {
    if (m_gpu == nullptr) return;
    const GpuConditions conditions = gpu_conditions(m_gpu->identity());
    m_report["name"] = m_gpu->name();
    if (const std::string& instance = m_gpu->identity().instance; !instance.empty())
        m_report["instance"] = instance;
    note_company(company_on(conditions, ::getpid(), sees_all_processes()));
    if (!conditions.known) return;
    m_report[when] = to_json(conditions);
    for (const std::string& reason : conditions.throttled)
        notes.push_back(fmt::format("the GPU was held back {} timing: {}", when, reason));
}

void GpuWatch::note_company(const GpuCompany& company) {
    using Others = GpuCompany::Others;
    const auto weight = [](Others others) {
        return others == Others::some ? 2 : others == Others::unclear ? 1 : 0;
    };
    if (m_company && weight(m_company->others) >= weight(company.others)) return;
    m_company = company;
    m_report["other_processes"] = nullptr;
    m_report.erase("other_processes_unclear");
    if (company.others == Others::unclear)
        m_report["other_processes_unclear"] = company.why;
    else
        m_report["other_processes"] = company.others == Others::some;
}

void GpuWatch::note_call(bool restless) {
    ++m_calls;
    if (restless) ++m_restless;
}

std::optional<Verdict> GpuWatch::find_restless(std::vector<std::string>& notes) const {
    if (m_restless < k_least_restless || m_restless < k_restless * m_calls) return std::nullopt;
    if (m_company && m_company->others == GpuCompany::Others::some) {
        notes.push_back("other processes used the GPU while it was timed: times may be too long");
        return std::nullopt;
    }
    // Where others may hide, a candidate must not be able to hide behind them.
    const bool unclear = m_company && m_company->others == GpuCompany::Others::unclear;
    return Verdict::because(
        Reason::integrity,
        fmt::format(
            "Before {} of {} calls the GPU was at work while the candidate was stopped: something that "
            "it had launched earlier went on, or began when the inputs arrived.{}",
            m_restless, m_calls,
            unclear ? fmt::format(" Whether others use this GPU is not known ({}): if they do, evaluate it "
                                  "again on one that is free.",
                                  m_company->why)
                    : ""));
}

double GpuWatch::late_start_ms(const std::vector<double>& candidate_ms,
                               const std::vector<double>& baseline_ms, std::vector<std::string>& notes) {
    if (m_gpu == nullptr || candidate_ms.empty() || baseline_ms.empty()) return 0;
    const double late_ms = median(candidate_ms) - median(baseline_ms);
    m_report["late_start_ms"] = late_ms;
    if (late_ms < k_late_ms) return 0;
    notes.push_back(fmt::format(
        "it took the candidate {:.3f} ms longer than the baseline to begin: that is in its time", late_ms));
    return late_ms;
}

}  // namespace kforge
