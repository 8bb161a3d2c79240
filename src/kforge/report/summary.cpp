#include "kforge/report/summary.hpp"

#include <algorithm>
#include <cmath>

namespace kforge {
namespace {

using nlohmann::json;

// Of what a run found best; nothing when there is no speedup.
std::optional<double> best_number(const RunReport& report, const char* pointer) {
    const ReportRow* best = report.best_row();
    return best == nullptr ? std::nullopt : best->number(pointer);
}

class GeometricMean {
  public:
    void add(std::optional<double> value) {
        if (!value || *value <= 0) return;
        m_logs += std::log(*value);
        ++m_count;
    }
    size_t count() const { return m_count; }
    std::optional<double> value() const {
        if (m_count == 0) return std::nullopt;
        return std::exp(m_logs / static_cast<double>(m_count));
    }

  private:
    double m_logs = 0;
    size_t m_count = 0;
};

Mean mean_of(const std::vector<RunReport>& reports, bool sound_only) {
    GeometricMean plain, same_permission;
    for (const RunReport& report : reports) {
        if (sound_only && !is_sound(report)) continue;
        plain.add(best_number(report, "/speedup/value"));
        same_permission.add(best_number(report, "/same_permission_speedup/value"));
    }
    return {plain.count(), plain.value(), same_permission.value()};
}

json to_json(const Mean& mean) {
    return {{"runs", mean.runs},
            {"speedup", mean.speedup ? json(*mean.speedup) : json()},
            {"same_permission_speedup", mean.same_permission ? json(*mean.same_permission) : json()}};
}

}  // namespace

bool is_sound(const RunReport& report) {
    return !report.vet.is_object() || report.vet.value("state", "ok") == "ok";
}

std::vector<fs::path> runs_at(const fs::path& path) {
    const auto is_run = [](const fs::path& folder) {
        std::error_code ignored;
        return fs::exists(folder / "journal.jsonl", ignored);
    };
    std::vector<fs::path> runs;
    std::error_code ignored;
    if (!is_run(path))
        for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
            if (is_run(entry.path())) runs.push_back(entry.path());
    std::sort(runs.begin(), runs.end());
    if (runs.empty()) runs.push_back(path);  // reading it tells what is wrong
    return runs;
}

Summary summarize_runs(std::vector<RunReport> reports) {
    Summary summary;
    summary.sound = mean_of(reports, true);
    summary.all = mean_of(reports, false);
    for (const RunReport& report : reports) {
        summary.cost.add(report.cost);
        const ReportRow* best = report.best_row();
        if (is_sound(report) && best != nullptr && best->text("claim") == "faster") ++summary.faster;
    }
    summary.reports = std::move(reports);
    return summary;
}

json to_json(const Summary& summary) {
    json runs = json::array();
    for (const RunReport& report : summary.reports) runs.push_back(to_json(report));
    return {{"runs", runs},
            {"geometric_mean", {{"sound", to_json(summary.sound)}, {"all", to_json(summary.all)}}},
            {"faster", summary.faster},
            {"cost", to_json(summary.cost)}};
}

}  // namespace kforge
