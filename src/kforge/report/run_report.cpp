#include "kforge/report/run_report.hpp"

#include <fmt/format.h>

#include "kforge/store/run_directory.hpp"

namespace kforge {
namespace {

using nlohmann::json;

json read_json(const fs::path& path) {
    const Result<std::string> text = read_file(path);
    if (!text.ok()) return nullptr;
    json value = json::parse(*text, nullptr, false);
    return value.is_discarded() ? json() : value;
}

ReportRow& row_of(RunReport& report, int iteration) {
    for (ReportRow& row : report.rows)
        if (row.iteration == iteration) return row;
    report.rows.push_back(ReportRow{iteration, "", false, json::object()});
    return report.rows.back();
}

void read_evaluation(const fs::path& folder, ReportRow& row) {
    row.evaluation = read_json(folder / "verdict.json");
    if (!row.evaluation.is_object()) row.evaluation = json::object();
    row.evaluation["timings"] = read_json(folder / "timings.json");
    row.evaluation["guard"] = read_json(folder / "guard.json");
}

void apply(const Event& event, RunReport& report) {
    if (event.type == "prompted") {
        row_of(report, event.iteration).pass = event.fields.value("pass", "");
    } else if (event.type == "evaluated") {
        read_evaluation(report.path / "iterations" / fmt::format("{:02}", event.iteration),
                        row_of(report, event.iteration));
    } else if (event.type == "best") {
        report.best = event.iteration;
    } else if (event.type == "vetted") {
        report.vet = event.fields;
    } else if (event.type.ends_with("_answered")) {
        report.cost.add(event.fields);
        report.agents[event.type.substr(0, event.type.find('_'))].add(event.fields);
    }
    if (event.type == "suspended" || event.type == "stopped") {
        report.status = event.type;
        report.message = event.fields.value("message", "");
    } else {
        report.status = event.type == "run_done" ? "finished" : "unfinished";
        report.message.clear();
    }
}

}  // namespace

std::string ReportRow::text(const char* key) const {
    const auto found = evaluation.find(key);
    return found != evaluation.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> ReportRow::number(const std::string& pointer) const {
    const json::json_pointer where(pointer);
    if (!evaluation.contains(where) || !evaluation[where].is_number()) return std::nullopt;
    return evaluation[where].get<double>();
}

const ReportRow* RunReport::best_row() const {
    for (const ReportRow& row : rows)
        if (row.best) return &row;
    return nullptr;
}

Result<RunReport> read_report(const fs::path& run_directory) {
    TRY_ASSIGN(const std::vector<Event> events, RunDirectory::read_journal(run_directory));
    RunReport report;
    report.path = run_directory;
    try {
        for (const Event& event : events) apply(event, report);
        report.lost = lost_calls(events);
    } catch (const json::exception& error) {
        return Error{ErrorKind::config,
                     fmt::format("{}: an event has fields that this KForge does not understand ({})",
                                 (run_directory / "journal.jsonl").string(), error.what())};
    }
    std::erase_if(report.rows, [](const ReportRow& row) { return row.evaluation.empty(); });
    for (ReportRow& row : report.rows) row.best = report.best == row.iteration;
    return report;
}

json to_json(const RunReport& report) {
    json iterations = json::array();
    for (const ReportRow& row : report.rows)
        iterations.push_back({{"iteration", row.iteration},
                              {"pass", row.pass},
                              {"state", row.evaluation.value("state", json())},
                              {"reason", row.evaluation.value("reason", json())},
                              {"speedup", row.evaluation.value("speedup", json())},
                              {"best", row.best}});
    json result;
    for (const char* key : {"state", "reason", "evidence", "speedup", "same_permission_speedup", "timings",
                            "error", "generality", "guard"})
        result[key] = nullptr;  // the same form, also before the first evaluation
    if (const ReportRow* best = report.best_row())
        result.update(best->evaluation);
    else if (!report.rows.empty())
        result.update(report.rows.back().evaluation);
    result["vet"] = report.vet;
    result["run"] = report.path.string();
    result["status"] = report.status;
    result["message"] = report.message;
    result["best_iteration"] = report.best ? json(*report.best) : json();
    result["best_candidate"] = report.best ? json((report.path / "best" / "candidate.py").string()) : json();
    result["iterations"] = iterations;
    result["cost"] = to_json(report.cost);
    result["cost"]["unknown"] = to_json(report.lost);
    result["cost"]["agents"] = json::object();
    for (const auto& [agent, cost] : report.agents) result["cost"]["agents"][agent] = to_json(cost);
    return result;
}

}  // namespace kforge
