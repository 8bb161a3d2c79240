#include "kforge/arena/keepsake.hpp"

namespace kforge {
namespace {

constexpr size_t k_largest = size_t{128} << 20;

}  // namespace

bool Keepsake::fits(const std::vector<OutputForm>& outputs) {
    size_t sum = 0;
    for (const OutputForm& form : outputs) {
        const size_t span = form.span().value_or(k_largest + 1);
        if (span > k_largest - sum) return false;
        sum += span;
    }
    return true;
}

void Keepsake::take(const Player& player, const std::vector<OutputForm>& outputs, const Stage& stage) {
    m_parts.clear();
    for (size_t i = 0; i < outputs.size(); ++i) {
        const size_t span = outputs[i].span().value_or(0);
        if (span == 0 || stage.is_given_back(i)) continue;
        Part part{i, outputs[i].address, std::string(span, '\0')};
        // Where the memory of others may not be read there is nothing to hold against it.
        if (player.read_memory(part.address, span, part.bytes.data())) m_parts.push_back(std::move(part));
    }
}

std::optional<size_t> Keepsake::changed(const Player& player) const {
    for (const Part& part : m_parts) {
        std::string now(part.bytes.size(), '\0');
        if (!player.read_memory(part.address, now.size(), now.data()) || now != part.bytes)
            return part.output;
    }
    return std::nullopt;
}

}  // namespace kforge
