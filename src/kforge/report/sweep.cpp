#include "kforge/report/sweep.hpp"

#include <algorithm>

namespace kforge {
namespace {

using nlohmann::json;

// The order of the table; a baseline that is not named here comes after those that are.
constexpr const char* k_sides[] = {"eager", "compile", "half_eager", "half_compile"};

size_t side_rank(const std::string& side) {
    if (side == "candidate") return std::size(k_sides) + 1;
    return static_cast<size_t>(std::find(std::begin(k_sides), std::end(k_sides), side) - std::begin(k_sides));
}

std::string text_of(const json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_string() ? value->get<std::string>() : "";
}

std::optional<Ratio> ratio_of(const json& evaluation, const char* key) {
    const json interval = evaluation.value(key, json());
    if (!interval.is_object()) return std::nullopt;
    return Ratio{interval.at("value"), interval.at("low"), interval.at("high")};
}

}  // namespace

std::optional<double> SweepRow::median_ms(const std::string& side) const {
    for (const auto& [name, median] : medians_ms)
        if (name == side) return median;
    return std::nullopt;
}

std::vector<std::string> Sweep::sides() const {
    std::vector<std::string> all;
    for (const SweepRow& row : rows)
        for (const auto& [name, median] : row.medians_ms)
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    std::stable_sort(all.begin(), all.end(), [](const std::string& left, const std::string& right) {
        return side_rank(left) < side_rank(right);
    });
    return all;
}

SweepRow sweep_row(long size, json evaluation) {
    SweepRow row;
    row.size = size;
    row.state = text_of(evaluation, "state");
    row.reason = text_of(evaluation, "reason");
    row.evidence = text_of(evaluation, "evidence");
    row.claim = text_of(evaluation, "claim");
    row.speedup = ratio_of(evaluation, "speedup");
    if (const json timings = evaluation.value("timings", json()); timings.is_object()) {
        for (const auto& [name, series] : timings.at("series").items())
            row.medians_ms.emplace_back(name, series.at("median_ms").get<double>());
        if (text_of(timings, "same_permission_baseline") != text_of(timings, "baseline"))
            row.same_permission_speedup = ratio_of(evaluation, "same_permission_speedup");
    }
    std::stable_sort(row.medians_ms.begin(), row.medians_ms.end(), [](const auto& left, const auto& right) {
        return side_rank(left.first) < side_rank(right.first);
    });
    row.evaluation = std::move(evaluation);
    return row;
}

SweepRow refused_size(long size, const std::string& evidence) {
    SweepRow row;
    row.size = size;
    row.evidence = evidence;
    row.evaluation = {{"state", nullptr},   {"reason", nullptr}, {"evidence", evidence},
                      {"speedup", nullptr}, {"claim", ""},       {"timings", nullptr}};
    return row;
}

json to_json(const Sweep& sweep) {
    json sizes = json::array();
    for (const SweepRow& row : sweep.rows) {
        sizes.push_back(row.evaluation);
        sizes.back()["size"] = row.size;
    }
    return {{"candidate", sweep.candidate},
            {"problem", sweep.problem},
            {"platform", sweep.platform},
            {"axis", sweep.axis},
            {"sizes", sizes}};
}

std::string side_name(const std::string& side) {
    if (side == "compile") return "torch.compile";
    if (side == "half_eager") return "eager in half";
    if (side == "half_compile") return "torch.compile in half";
    return side;
}

}  // namespace kforge
