#include "kforge/cli/results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

std::string first_line(const std::string& text) {
    const std::vector<std::string> lines = split_lines(text);
    return lines.empty() ? "" : lines.front();
}

std::string milliseconds(const std::optional<double>& value) {
    return value ? fmt::format("{:.3f} ms", *value) : "-";
}

std::string state_text(const json& evaluation) {
    const std::string state = evaluation.value("state", "");
    const auto reason = evaluation.find("reason");
    return reason != evaluation.end() && reason->is_string()
               ? fmt::format("{} ({})", state, reason->get<std::string>())
               : state;
}

std::string timing_lines(const json& evaluation) {
    const json timings = evaluation.value("timings", json());
    if (!timings.is_object()) return "";
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, series] : timings.at("series").items())
        rows.push_back({name, fmt::format("{:.4f} ms", series.at("median_ms").get<double>()),
                        fmt::format("{} calls", series.at("samples_ms").size())});
    std::string text = "\n" + render_table({{"side"}, {"median", Align::right}, {"", Align::right}}, rows);
    for (const json& note : timings.at("notes")) text += "note: " + note.get<std::string>() + "\n";
    return text;
}

std::string generality_lines(const json& evaluation) {
    std::string text;
    for (const json& item : evaluation.value("generality", json::array()))
        text += fmt::format("{}{}: {}", text.empty() ? "\nother inputs  " : "; ", item.value("variation", ""),
                            item.value("outcome", ""));
    return text.empty() ? "" : text + "\n";
}

std::vector<std::string> row_cells(const ReportRow& row) {
    const json timings = row.evaluation.value("timings", json());
    const std::string baseline = timings.is_object() ? timings.value("baseline", "") : "";
    const std::optional<double> candidate_ms = row.number("/timings/series/candidate/median_ms");
    const std::optional<double> baseline_ms = row.number("/timings/series/" + baseline + "/median_ms");
    const std::string what = row.text("state") == "correct" ? "" : first_line(row.text("evidence"));
    return {fmt::format("{}{}", row.best ? "*" : " ", row.iteration),
            row.pass,
            state_text(row.evaluation),
            speedup_text(row.evaluation.value("speedup", json())),
            milliseconds(candidate_ms),
            baseline_ms ? fmt::format("{} {:.3f} ms", baseline, *baseline_ms) : "-",
            what};
}

}  // namespace

std::string speedup_text(const json& interval) {
    if (!interval.is_object()) return "-";
    return fmt::format("{:.2f}x ({:.2f} to {:.2f})", interval.value("value", 0.0), interval.value("low", 0.0),
                       interval.value("high", 0.0));
}

std::string evaluation_text(const json& evaluation) {
    std::string text = state_text(evaluation) + "\n";
    if (const std::string evidence = evaluation.value("evidence", ""); !evidence.empty())
        text += evidence + "\n";
    if (evaluation.value("speedup", json()).is_object()) {
        const json& timings = evaluation.at("timings");
        text += fmt::format("\nspeedup  {} over {}\n", speedup_text(evaluation["speedup"]),
                            timings.value("baseline", ""));
        if (timings.value("same_permission_baseline", "") != timings.value("baseline", ""))
            text += fmt::format("         {} over {}, which had the same permissions\n",
                                speedup_text(evaluation["same_permission_speedup"]),
                                timings.value("same_permission_baseline", ""));
    }
    return text + timing_lines(evaluation) + generality_lines(evaluation);
}

std::string report_text(const RunReport& report, size_t width) {
    std::vector<std::vector<std::string>> rows;
    for (const ReportRow& row : report.rows) rows.push_back(row_cells(row));
    std::string text = render_table({{"#"},
                                     {"pass"},
                                     {"verdict"},
                                     {"speedup (95 %)"},
                                     {"candidate", Align::right},
                                     {"faster baseline", Align::right},
                                     {"what happened"}},
                                    rows, width);
    if (const ReportRow* best = report.best_row()) {
        text += fmt::format("\nbest kernel  {} (iteration {}, {})\n",
                            (report.path / "best" / "candidate.py").string(), best->iteration,
                            speedup_text(best->evaluation.value("speedup", json())));
    } else {
        text += "\nno correct candidate so far\n";
    }
    if (report.vet.is_object() && report.vet.value("state", "ok") != "ok")
        text += fmt::format("the problem   {}: {}\n", report.vet.value("state", ""),
                            report.vet.value("evidence", ""));
    text += fmt::format("run          {} ({})\n", report.path.string(), report.status);
    text += fmt::format("LLM use      {}{} tokens, ${:.4f}\n", report.estimated ? "about " : "",
                        report.tokens, report.usd);
    if (!report.message.empty()) text += fmt::format("\n{}: {}\n", report.status, report.message);
    return text;
}

}  // namespace kforge
