#include "kforge/cli/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/cli/table.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;
using namespace nlohmann::literals;

constexpr size_t k_wide = 100;

std::string first_line(const std::string& text) {
    const std::vector<std::string> lines = split_lines(text);
    return lines.empty() ? "" : lines.front();
}

std::string state_text(const json& evaluation) {
    const std::string state = evaluation.value("state", "");
    const auto reason = evaluation.find("reason");
    return reason != evaluation.end() && reason->is_string()
               ? fmt::format("{} ({})", state, reason->get<std::string>())
               : state;
}

// torch.compile by its full name: "compile" alone reads like a part of the build.
std::string baseline_name(const std::string& series) {
    return series == "compile" ? "torch.compile" : series;
}

std::string timing_lines(const json& evaluation) {
    const json timings = evaluation.value("timings", json());
    if (!timings.is_object()) return "";
    const auto milliseconds = [](const json& series) {
        return fmt::format("{:.4f} ms", series.at("median_ms").get<double>());
    };
    const json cold = timings.value("cold", json::object()).value("series", json::object());
    const bool on_device = timings.at("series").contains("candidate") &&
                           timings.at("series").at("candidate").contains("device_ms");
    std::vector<Column> columns = {{"side"}, {"median", Align::right}};
    if (on_device) columns.push_back({"on the GPU", Align::right});
    columns.push_back({"empty caches", Align::right});
    columns.push_back({"", Align::right});
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, series] : timings.at("series").items()) {
        rows.push_back({baseline_name(name), milliseconds(series)});
        if (on_device) rows.back().push_back(fmt::format("{:.4f} ms", series.value("device_ms", 0.0)));
        rows.back().push_back(cold.contains(name) ? milliseconds(cold[name]) : "");
        rows.back().push_back(fmt::format("{} calls", series.at("samples_ms").size()));
    }
    std::string text = "\n" + render_table(columns, rows);
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

// What the jail could not promise on this machine.
std::string promise_lines(const json& evaluation) {
    std::string text;
    for (const json& promise : evaluation.value("open_promises", json::array()))
        text += fmt::format("{}{}", text.empty() ? "open promises  " : "; ", promise.get<std::string>());
    return text.empty() ? "" : text + "\n";
}

// Why there is no speedup, or what the speedup is made of.
std::string what_happened(const ReportRow& row) {
    if (row.text("state") != "correct") {
        const std::string evidence = sanitize(first_line(row.text("evidence")));
        return row.text("reason") + (evidence.empty() ? "" : ": " + evidence);
    }
    const json timings = row.evaluation.value("timings", json());
    const std::string baseline = timings.is_object() ? timings.value("baseline", "") : "";
    const std::optional<double> candidate_ms = row.number("/timings/series/candidate/median_ms");
    const std::optional<double> baseline_ms = row.number("/timings/series/" + baseline + "/median_ms");
    if (!candidate_ms || !baseline_ms) return "";
    return fmt::format("{:.3f} ms, {} {:.3f} ms", *candidate_ms, baseline_name(baseline), *baseline_ms);
}

std::string row_state(const ReportRow& row, Look look) {
    const std::string text = row.text("state");
    const Result<State> state = parse_state(text);
    return state.ok() ? paint_state(*state, text, look) : text;
}

// Where there is little room the pass gives way: the iterations' lines have told it.
std::string iterations_table(const RunReport& report, size_t width, Look look) {
    const bool narrow = width > 0 && width < k_wide;
    std::vector<Column> columns = {{"#"}, {"verdict"}, {"speedup [95 %]"}, {"what happened", Align::left, 2}};
    if (!narrow) columns.insert(columns.begin() + 1, {"pass"});
    std::vector<std::vector<std::string>> rows;
    for (const ReportRow& row : report.rows) {
        rows.push_back({fmt::format("{}{}", row.best ? "*" : " ", row.iteration), row_state(row, look),
                        speedup_text(row.evaluation.value("speedup", json())), what_happened(row)});
        if (!narrow) rows.back().insert(rows.back().begin() + 1, row.pass);
    }
    return render_table(columns, rows, width);
}

// What to do now, as a command; nothing when the run has done what it could.
std::string next_step(const RunReport& report) {
    const std::string directory = report.path.string();
    if (report.status == "suspended")
        return fmt::format("{}\n          then: kforge resume {}", report.message, directory);
    if (report.status == "stopped")
        return fmt::format("with a larger budget: kforge resume {} --budget-...", directory);
    if (report.status != "finished") return fmt::format("kforge resume {}", directory);
    const bool refined = std::any_of(report.rows.begin(), report.rows.end(),
                                     [](const ReportRow& row) { return row.pass != "first"; });
    if (report.best || !refined) return "";
    return fmt::format("more iterations: kforge resume {} -n {}", directory, report.rows.size() + 5);
}

// "generation: 5 calls, 40000 tokens in (62 % from a cache), 9000 out, $0.12"
std::string agent_text(const std::string& agent, const LlmCost& cost) {
    const std::optional<double> rate = cost.cache_hit_rate();
    return fmt::format("{}: {} {}, {} tokens in{}, {} out, {}", agent, cost.calls,
                       cost.calls == 1 ? "call" : "calls", cost.input_tokens,
                       rate ? fmt::format(" ({:.0f} % from a cache)", *rate * 100) : "", cost.output_tokens,
                       usd_text(cost));
}

// Of a run without a correct candidate: one that was checked without the device may still be.
std::string none_correct(const RunReport& report) {
    const bool checked = std::any_of(report.rows.begin(), report.rows.end(),
                                     [](const ReportRow& row) { return row.text("state") == "checked"; });
    return checked ? "checked" : "none correct";
}

}  // namespace

std::string speedup_text(const json& interval) {
    if (!interval.is_object()) return "-";
    return render_speedup(
        {interval.value("value", 0.0), interval.value("low", 0.0), interval.value("high", 0.0)});
}

std::string evaluation_text(const json& evaluation) {
    std::string text = state_text(evaluation) + "\n";
    if (const std::string evidence = evaluation.value("evidence", ""); !evidence.empty())
        text += evidence + "\n";
    if (evaluation.value("speedup", json()).is_object()) {
        const json& timings = evaluation.at("timings");
        const bool within_noise = evaluation.value("claim", "") == "no difference";
        text += fmt::format("\nspeedup  {} over {}{}\n", speedup_text(evaluation["speedup"]),
                            baseline_name(timings.value("baseline", "")),
                            within_noise ? ": no difference beyond the noise" : "");
        if (timings.value("same_permission_baseline", "") != timings.value("baseline", ""))
            text += fmt::format("         {} over {}, which had the same permissions\n",
                                speedup_text(evaluation["same_permission_speedup"]),
                                baseline_name(timings.value("same_permission_baseline", "")));
    }
    return text + timing_lines(evaluation) + generality_lines(evaluation) + promise_lines(evaluation);
}

std::string report_text(const RunReport& report, size_t width, Look look) {
    std::string text;
    if (!report.rows.empty()) text = iterations_table(report, width, look) + "\n";
    const auto line = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{:<8}  {}\n", name, value);
    };
    if (const ReportRow* best = report.best_row()) {
        const std::string baseline = best->evaluation.value("/timings/baseline"_json_pointer, "");
        line("best", fmt::format("iteration {}: {}{}", best->iteration,
                                 speedup_text(best->evaluation.value("speedup", json())),
                                 baseline.empty() ? "" : " over " + baseline_name(baseline)));
        line("kernel", (report.path / "best" / "candidate.py").string());
    } else {
        line("best", "no correct candidate so far");
    }
    if (report.vet.is_object() && report.vet.value("state", "ok") != "ok")
        line("problem",
             fmt::format("{}: {}", report.vet.value("state", ""), report.vet.value("evidence", "")));
    if (report.status == "finished")
        line("run", report.path.string());
    else
        line("run", fmt::format("{} ({}{})", report.path.string(), report.status,
                                report.status == "stopped" ? ": " + report.message : ""));
    line("LLM", fmt::format("{}{} tokens, {}", report.cost.estimated ? "about " : "", report.cost.tokens(),
                            usd_text(report.cost)));
    for (const auto& [agent, cost] : report.agents) line("", agent_text(agent, cost));
    if (report.lost.calls > 0)
        line("", fmt::format("not known: {} (sent, and ended before the answer was stored)",
                             lost_text(report.lost)));
    if (const std::string next = next_step(report); !next.empty()) line("next", next);
    return text;
}

std::string summary_text(const Summary& summary, size_t width) {
    std::vector<std::vector<std::string>> rows;
    for (const RunReport& report : summary.reports) {
        const ReportRow* best = report.best_row();
        const json evaluation = best != nullptr ? best->evaluation : json::object();
        rows.push_back({report.path.filename().string(),
                        best != nullptr ? evaluation.value("claim", "correct") : none_correct(report),
                        speedup_text(evaluation.value("speedup", json())),
                        speedup_text(evaluation.value("same_permission_speedup", json())),
                        is_sound(report) ? "" : report.vet.value("state", "")});
    }
    const auto mean_text = [](const Mean& mean) {
        if (!mean.speedup) return std::string("no speedup yet");
        return fmt::format("{:.2f}x over {} runs{}", *mean.speedup, mean.runs,
                           mean.same_permission
                               ? fmt::format(" ({:.2f}x with the same permissions)", *mean.same_permission)
                               : "");
    };
    return render_table(
               {{"run", Align::left, 2}, {"best is"}, {"speedup [95 %]"}, {"same permissions"}, {"problem"}},
               rows, width) +
           fmt::format(
               "\nmean      {}\nwith all  {}, degenerate and random problems included\nfaster    {} of {} "
               "runs\nLLM       {} calls, {}{} tokens, {}\n",
               mean_text(summary.sound), mean_text(summary.all), summary.faster, summary.reports.size(),
               summary.cost.calls, summary.cost.estimated ? "about " : "", summary.cost.tokens(),
               usd_text(summary.cost));
}

}  // namespace kforge
