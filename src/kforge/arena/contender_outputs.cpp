// What a contender's outputs are: their form, their memory, their values.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kforge/arena/contender.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// What a player says of its outputs goes into evidence: more than this is no description of a tensor.
constexpr size_t k_most_outputs = 1024;
constexpr size_t k_most_dimensions = 64;
constexpr size_t k_longest_dtype = 64;
constexpr int k_held_calls = 10;          // buffers that are used in turn are fewer: more would gain nothing
constexpr size_t k_small_share = 16;      // of all outputs
constexpr size_t k_written_elements = 8;  // the fewer, the harder they are to look for

}  // namespace

Finding Contender::read_forms(const nlohmann::json& reply, const std::string& doing) {
    std::vector<OutputForm> outputs;
    try {
        m_last_device_ms = reply.value("device_ms", 0.0);
        for (const nlohmann::json& item : reply.at("outputs")) {
            outputs.push_back({sanitize(item.at(0).get<std::string>()), item.at(1), item.at(2), item.at(3)});
            OutputForm& form = outputs.back();
            form.forget_idle_strides();
            if (item.size() > 4 && m_stage.gpu() == nullptr) return broken_protocol(doing);
            if (item.size() > 4) {
                form.handle = item.at(4);
                form.offset = item.at(5);
            }
            if (outputs.size() > k_most_outputs || form.shape.size() > k_most_dimensions ||
                form.stride.size() != form.shape.size() || form.dtype.size() > k_longest_dtype)
                return integrity("It returned more outputs or dimensions than a tensor program can mean.");
        }
    } catch (const nlohmann::json::exception&) {
        return broken_protocol(doing);
    }
    // The previous outputs are still alive, and so are those that are kept: their memory cannot have been
    // handed out again.
    for (size_t i = 0; i < outputs.size(); ++i) {
        const auto lies_there = [&](const OutputForm& earlier) { return outputs[i].overlaps(earlier); };
        outputs[i].given_back = m_stage.was_given_back(m_player, i, outputs[i]);
        if (!outputs[i].given_back &&
            (std::any_of(m_outputs.begin(), m_outputs.end(), lies_there) || m_kept.overlaps(outputs[i])))
            return integrity(fmt::format("output {} lies in the memory of an earlier output", i));
        if (!outputs[i].given_back && m_placed &&
            m_placed->overlaps(outputs[i].address, outputs[i].span().value_or(0)))
            return integrity(fmt::format("output {} lies in the memory of a buffer", i));
    }
    m_outputs = std::move(outputs);
    return find_shared_outputs();
}

// Results that the reference has twice are stored twice. Small ones, such as the last of all states, may be
// parts of others: to copy them takes no time, unless they are many.
Finding Contender::find_shared_outputs() const {
    size_t all_bytes = 0, shared_bytes = 0;
    for (const OutputForm& form : m_outputs) all_bytes += form.span().value_or(0);
    for (size_t other = 0; other < m_outputs.size(); ++other) {
        const OutputForm& form = m_outputs[other];
        size_t most_bytes = 0, with = 0;
        for (size_t one = 0; one < other; ++one) {
            const size_t bytes = std::min(m_outputs[one].span().value_or(0), form.span().value_or(0));
            if (bytes <= most_bytes || !m_outputs[one].overlaps(form) || m_stage.may_share(one, other))
                continue;
            most_bytes = bytes;
            with = one;
        }
        shared_bytes += most_bytes;
        if (most_bytes > 0 && shared_bytes > all_bytes / k_small_share)
            return integrity(fmt::format(
                "outputs {} and {} share memory, which those of the reference do not: what is written to "
                "one of them shows in the other",
                with, other));
    }
    return Finding();
}

Result<Finding> Contender::compare(const std::string& name, bool by_policy, Comparison* comparison) {
    TRY_ASSIGN(const Taken taken, m_stage.take_outputs(m_player, m_outputs));
    if (taken == Taken::not_there)
        return integrity(fmt::format("case '{}': an output is not where the player said", name));
    if (taken == Taken::not_its_own)
        return integrity(fmt::format("case '{}': an output lies in the memory of the inputs", name));
    if (taken == Taken::not_stored)
        return integrity(
            fmt::format("case '{}': an output is a view of a file, not memory of its own", name));
    if (taken == Taken::not_allowed) {
        TRY_ASSIGN(const Finding found, hand_over(name));
        if (found) return found;
    }
    if (Finding shared = write_to_outputs(true)) return shared;
    const Precision precision = m_stage.spec().policies.precision;
    TRY_ASSIGN(Comparison compared, m_stage.compare(m_outputs, by_policy));
    if (compared.bound && judge_comparison(compared, name, by_policy, precision)) {
        TRY_ASSIGN(compared, m_stage.compare(m_outputs, by_policy, true));
    }
    TRY(m_stage.forget_outputs());
    if (comparison != nullptr) *comparison = compared;
    return judge_comparison(compared, name, by_policy, precision);
}

// Where a process may not read another one's memory: the player copies, and that is said.
Result<Finding> Contender::hand_over(const std::string& name) {
    TRY_ASSIGN(const Finding found,
               ask({{"op", "publish"}}, fmt::format("handing over the result of case '{}'", name),
                   m_stage.spec().call_limit_s));
    if (found) return found;
    for (OutputForm& form : m_outputs) {
        int64_t step = 1;
        for (size_t i = form.shape.size(); i-- > 0;) {
            form.stride[i] = step;
            if (__builtin_mul_overflow(step, form.shape[i], &step)) break;  // a form that nobody expects
        }
    }
    m_handed_over = true;
    return Finding();
}

Finding Contender::write_to_outputs(bool look) {
    if (m_stage.gpu() != nullptr || !m_stage.memory_readable()) return Finding();
    // The player still holds the result of the call before where it was told to let go of an earlier one.
    if (std::exchange(m_still_held, false) && !m_caller.finds_its_own(pid()))
        return integrity("the result of the call before, which its caller still held, was changed by a call");
    m_caller.begin();
    const size_t elements = k_written_elements / std::max<size_t>(1, m_outputs.size()) + 1;
    for (size_t i = 0; i < m_outputs.size(); ++i)
        if (!m_outputs[i].given_back && !m_caller.write_to(pid(), m_outputs[i], elements))
            return integrity(fmt::format("output {} lies where its caller cannot write to it", i));
    for (size_t i = 0; look && i < m_outputs.size(); ++i)
        if (const char* copy = m_stage.taken_copy(i);
            copy != nullptr && !m_caller.left_the_rest(pid(), m_outputs[i], copy))
            return integrity(fmt::format(
                "output {}: what is written to one of its elements shows in others: they share memory", i));
    return Finding();
}

Finding Contender::last_wall_ms(double& wall_ms) const {
    const std::optional<double> unwritten_ms = m_stage.unwritten_ms(m_player, m_outputs);
    if (!unwritten_ms) return integrity("an output lies where its caller cannot write to it");
    wall_ms = last_call_ms() + *unwritten_ms;
    return Finding();
}

Result<Finding> Contender::drop(bool keep) {
    if (Finding found = write_to_outputs(false)) return found;
    if (keep) m_kept.keep(m_stage, m_player, m_outputs);
    m_still_held = true;
    return ask({{"op", "drop"}, {"keep", keep}, {"written_from_outside", m_placed.has_value()}},
               "letting outputs go", m_stage.spec().call_limit_s);
}

bool Contender::may_hold() const {
    return m_kept.has_room(m_stage, m_outputs);
}

// In calls that are not timed, but look like those that are: to hold results costs the next calls new pages.
Result<Finding> Contender::find_changed_outputs() {
    for (int call = 0; call < k_held_calls && may_hold(); ++call) {
        TRY_ASSIGN(const nlohmann::json spec, m_stage.stage_round(m_weights));
        TRY_ASSIGN(const Finding found, first_finding([&] { return tell(spec); },
                                                      [&] { return go(k_in_a_timed_call, nullptr, true); },
                                                      [&] { return drop(true); }));
        if (found) return found;
    }
    const std::optional<std::string> changed = m_kept.find_changed(m_player);
    return changed ? integrity(*changed) : Finding();
}

}  // namespace kforge
