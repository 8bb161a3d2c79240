#include "kforge/arena/evaluation.hpp"

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

using nlohmann::json;

json interval_json(const std::optional<Interval>& interval) {
    if (!interval) return nullptr;
    return {{"value", interval->value}, {"low", interval->low}, {"high", interval->high}};
}

std::optional<Interval> interval_from(const json& value) {
    if (!value.is_object()) return std::nullopt;
    return Interval{value.at("value"), value.at("low"), value.at("high")};
}

json series_json(const std::vector<Series>& sides) {
    json object = json::object();
    for (const Series& side : sides) {
        object[side.name] = {{"median_ms", side.median_ms}, {"samples_ms", side.samples_ms}};
        if (side.device_ms > 0) object[side.name]["device_ms"] = side.device_ms;
    }
    return object;
}

std::vector<Series> series_from(const json& object) {
    std::vector<Series> sides;
    for (const auto& [name, side] : object.items())
        sides.push_back(
            Series{name, side.at("median_ms"), side.at("samples_ms"), side.value("device_ms", 0.0)});
    return sides;
}

json timings_json(const std::optional<Timings>& timings) {
    if (!timings) return nullptr;
    return {
        {"series", series_json(timings->series)},
        {"baseline", timings->baseline},
        {"same_permission_baseline", timings->same_permission_baseline},
        {"noise", interval_json(timings->noise)},
        {"overhead_ms", timings->overhead_ms},
        {"doubt_ms", timings->doubt_ms},
        {"threads", timings->threads},
        {"processors", timings->processors},
        {"other_load", timings->other_load},
        {"cold", {{"series", series_json(timings->cold)}, {"speedup", interval_json(timings->cold_speedup)}}},
        {"device", timings->device},
        {"notes", timings->notes}};
}

std::optional<Timings> timings_from(const json& value) {
    if (!value.is_object()) return std::nullopt;
    Timings timings;
    timings.series = series_from(value.at("series"));
    timings.baseline = value.at("baseline");
    timings.same_permission_baseline = value.at("same_permission_baseline");
    timings.noise = interval_from(value.at("noise"));
    timings.overhead_ms = value.at("overhead_ms");
    timings.doubt_ms = value.value("doubt_ms", 0.0);
    timings.threads = value.at("threads");
    timings.processors = value.value("processors", std::vector<int>());
    timings.other_load = value.value("other_load", 0.0);
    if (const auto cold = value.find("cold"); cold != value.end()) {
        timings.cold = series_from(cold->at("series"));
        timings.cold_speedup = interval_from(cold->at("speedup"));
    }
    timings.device = value.value("device", json());
    timings.notes = value.at("notes").get<std::vector<std::string>>();
    return timings;
}

json error_json(const std::optional<ErrorReport>& error) {
    if (!error) return nullptr;
    return {{"candidate", error->candidate},
            {"eager", error->eager},
            {"limit", error->limit},
            {"policy", error->policy},
            {"worst_case", error->worst_case}};
}

std::optional<ErrorReport> error_from(const json& value) {
    if (!value.is_object()) return std::nullopt;
    return ErrorReport{value.at("candidate"), value.at("eager"), value.at("limit"), value.at("policy"),
                       value.at("worst_case")};
}

}  // namespace

json to_json(const Evaluation& evaluation) {
    json generality = json::array();
    for (const GeneralityItem& item : evaluation.generality)
        generality.push_back(
            {{"variation", item.variation}, {"outcome", item.outcome}, {"detail", item.detail}});
    json phases = json::object();
    for (const Phase& phase : evaluation.phases) phases[phase.name] = phase.seconds;
    const Verdict& verdict = evaluation.verdict;
    return {{"state", std::string(to_string(verdict.state))},
            {"reason", verdict.reason ? json(std::string(to_string(*verdict.reason))) : json()},
            {"evidence", verdict.evidence},
            {"speedup", interval_json(evaluation.speedup)},
            {"same_permission_speedup", interval_json(evaluation.same_permission_speedup)},
            {"claim", evaluation.claim},
            {"timings", timings_json(evaluation.timings)},
            {"error", error_json(evaluation.error)},
            {"generality", generality},
            {"phases_s", phases},
            {"open_promises", evaluation.open_promises},
            {"output", evaluation.output}};
}

Result<Evaluation> evaluation_from_json(const json& value) {
    try {
        Evaluation evaluation;
        TRY_ASSIGN(evaluation.verdict.state, parse_state(value.at("state").get<std::string>()));
        if (value.at("reason").is_string()) {
            TRY_ASSIGN(evaluation.verdict.reason, parse_reason(value["reason"].get<std::string>()));
        }
        evaluation.verdict.evidence = value.at("evidence");
        evaluation.speedup = interval_from(value.at("speedup"));
        evaluation.same_permission_speedup = interval_from(value.at("same_permission_speedup"));
        evaluation.claim = value.at("claim");
        evaluation.timings = timings_from(value.at("timings"));
        evaluation.error = error_from(value.at("error"));
        for (const json& item : value.at("generality"))
            evaluation.generality.push_back({item.at("variation"), item.at("outcome"), item.at("detail")});
        for (const auto& [name, seconds] : value.at("phases_s").items())
            evaluation.phases.push_back(Phase{name, seconds});
        evaluation.open_promises = value.at("open_promises").get<std::vector<std::string>>();
        evaluation.output = value.at("output");
        return evaluation;
    } catch (const json::exception& error) {
        return Error{ErrorKind::parse, std::string("not an evaluation: ") + error.what()};
    }
}

}  // namespace kforge
