#include "kforge/arena/kept_outputs.hpp"
#include "kforge/util/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace kforge {
namespace {

constexpr size_t k_share_of_memory = 8;  // an eighth of what a candidate may take
constexpr size_t k_at_once = 1 << 16;
// Of a large result one part in so many is looked at, by lot: what is computed there anew is so in all of
// them.
constexpr size_t k_large_bytes = 1 << 20, k_one_part_in = 4;

size_t bytes_of(const std::vector<OutputForm>& outputs) {
    size_t bytes = 0;
    for (const OutputForm& form : outputs) bytes += form.span().value_or(0);
    return bytes;
}

std::optional<uint64_t> fingerprint(const Player& player, const OutputForm& form, uint64_t lot) {
    Lots random(lot);
    const size_t size = form.span().value_or(0);
    std::string part(std::min(size, k_at_once), '\0');
    uint64_t result = size;
    for (size_t done = 0; done < size; done += part.size()) {
        if (size > k_large_bytes && random() % k_one_part_in != 0) continue;
        const size_t length = std::min(part.size(), size - done);
        if (!player.read_memory(form.address + done, length, part.data())) return std::nullopt;
        result = result * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()({part.data(), length});
    }
    return result;
}

}  // namespace

bool KeptOutputs::has_room(const Stage& stage, const std::vector<OutputForm>& outputs) const {
    return m_bytes + bytes_of(outputs) <= (stage.spec().memory_limit_mb << 20) / k_share_of_memory;
}

void KeptOutputs::keep(Stage& stage, const Player& player, const std::vector<OutputForm>& outputs) {
    m_bytes += bytes_of(outputs);
    // What the reference passes on lies in the memory of an input, which is filled anew for each call.
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].given_back) continue;
        const uint64_t lot = stage.seeds().next();
        m_kept.push_back({outputs[i], i, lot,
                          stage.gpu() == nullptr ? fingerprint(player, outputs[i], lot) : std::nullopt});
    }
}

bool KeptOutputs::overlaps(const OutputForm& output) const {
    return std::any_of(m_kept.begin(), m_kept.end(),
                       [&](const Kept& kept) { return kept.form.overlaps(output); });
}

std::optional<std::string> KeptOutputs::find_changed(const Player& player) const {
    for (const Kept& kept : m_kept)
        if (kept.fingerprint && fingerprint(player, kept.form, kept.lot) != kept.fingerprint)
            return fmt::format(
                "output {} of an earlier call, which its caller still held, was changed by a later call",
                kept.index);
    return std::nullopt;
}

}  // namespace kforge
