// The part of Stage that takes outputs out of a player.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "kforge/arena/absent_pages.hpp"
#include "kforge/arena/mappings.hpp"
#include "kforge/arena/stage.hpp"

namespace kforge {
namespace {

constexpr size_t k_alignment = 64;  // as tensors.py lays out a buffer

size_t item_size(const std::string& dtype) {
    static const std::map<std::string, size_t> k_sizes = {
        {"float64", 8}, {"float32", 4}, {"float16", 2},   {"bfloat16", 2},
        {"int64", 8},   {"int32", 4},   {"int16", 2},     {"int8", 1},
        {"uint8", 1},   {"bool", 1},    {"complex64", 8}, {"complex128", 16}};
    const auto found = k_sizes.find(dtype);
    return found == k_sizes.end() ? 0 : found->second;
}

}  // namespace

SharedMap::~SharedMap() {
    if (m_data != nullptr) ::munmap(m_data, m_size);
}

bool SharedMap::map(int fd, size_t size) {
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) return false;
    m_data = static_cast<char*>(data);
    m_size = size;
    return true;
}

size_t OutputForm::item_bytes() const {
    return item_size(dtype);
}

std::optional<size_t> OutputForm::span() const {
    const size_t item = item_bytes();
    if (item == 0 || shape.size() != stride.size()) return std::nullopt;
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    size_t last = 0;  // offset of the last element, in items
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;  // its stride means nothing, and no comparison looks at it
        if (shape[i] < 0 || stride[i] < 0) return std::nullopt;
        size_t reach = 0;
        if (__builtin_mul_overflow(static_cast<size_t>(shape[i] - 1), static_cast<size_t>(stride[i]),
                                   &reach) ||
            __builtin_add_overflow(last, reach, &last))
            return std::nullopt;
    }
    size_t bytes = 0;
    if (__builtin_mul_overflow(last + 1, item, &bytes)) return std::nullopt;
    return bytes;
}

void OutputForm::forget_idle_strides() {
    if (shape.size() != stride.size()) return;
    const bool is_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    for (size_t i = 0; i < shape.size(); ++i)
        if (is_empty || shape[i] == 1) stride[i] = 1;
}

bool OutputForm::overlaps(const OutputForm& other) const {
    const size_t bytes = span().value_or(0), other_bytes = other.span().value_or(0);
    if (bytes == 0 || other_bytes == 0) return false;
    const auto overlap = [&](uint64_t one, uint64_t another) {
        return one < another + other_bytes && another < one + bytes;
    };
    // Where it is read by a handle, the address is only told.
    return overlap(address, other.address) ||
           (!handle.empty() && handle == other.handle && overlap(offset, other.offset));
}

bool Stage::is_given_back(size_t output) const {
    return std::find(m_given_back.begin(), m_given_back.end(), output) != m_given_back.end();
}

bool Stage::was_given_back(const Player& player, size_t output, const OutputForm& form) const {
    if (!is_given_back(output)) return false;
    const bool passed_on = std::find(m_passed_on.begin(), m_passed_on.end(), output) != m_passed_on.end();
    const size_t size = form.span().value_or(0);
    if (!passed_on || m_gpu || by_host() || !m_memory_readable || size == 0) return true;
    return what_is_shown(player.pid(), form.address, size, {m_inputs.get()}) == Shown::files;
}

bool Stage::may_share(size_t one, size_t other) const {
    return is_given_back(one) || is_given_back(other) ||
           std::find(m_sharing.begin(), m_sharing.end(), std::pair(one, other)) != m_sharing.end();
}

Result<Taken> Stage::take_outputs(const Player& player, const std::vector<OutputForm>& outputs) {
    m_taken.clear();
    size_t offset = 0;
    const auto take = [&](const OutputForm& form, size_t size) -> Result<bool> {
        if (m_gpu)
            return m_gpu->copy_from(form.handle, form.offset, size, m_outputs.on_device.address + offset);
        return player.read_memory(form.address, size, m_output_map.data() + offset);
    };
    for (const OutputForm& form : outputs) {
        offset = (offset + k_alignment - 1) / k_alignment * k_alignment;
        const std::optional<size_t> span = form.span();
        // What does not fit has the wrong form; the comparison says so.
        if (!span || *span > m_sizes[1] || offset > m_sizes[1] - *span) return Taken::done;
        m_taken.push_back(m_gpu || *span == 0 ? nullptr : m_output_map.data() + offset);
        if (*span == 0) continue;
        if (by_host()) return Taken::not_allowed;
        TRY_ASSIGN(const bool taken, take(form, *span));
        if (!taken) return m_memory_readable || errno == EFAULT ? Taken::not_there : Taken::not_allowed;
        if (!m_gpu && !form.given_back) {
            const Shown shown =
                what_is_shown(player.pid(), form.address, *span, {m_inputs.get(), m_weights.get()});
            if (shown == Shown::files) return Taken::not_its_own;
            if (shown == Shown::copy_to_be_made) return Taken::not_stored;
        }
        offset += *span;
    }
    return Taken::done;
}

std::optional<double> Stage::unwritten_ms(const Player& player,
                                          const std::vector<OutputForm>& outputs) const {
    if (m_gpu || by_host() || !m_memory_readable) return 0;
    double ms = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const size_t size = outputs[i].span().value_or(0);
        if (size > m_sizes[1] || outputs[i].given_back) continue;
        const std::optional<double> took_ms = absent_pages_ms(player.pid(), outputs[i].address, size);
        if (!took_ms) return std::nullopt;
        ms += *took_ms;
    }
    return ms;
}

const char* Stage::taken_copy(size_t output) const {
    return output < m_taken.size() ? m_taken[output] : nullptr;
}

}  // namespace kforge
