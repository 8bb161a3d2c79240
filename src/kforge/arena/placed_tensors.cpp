#include "kforge/arena/placed_tensors.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <utility>

#include "kforge/arena/freezer.hpp"
#include "kforge/arena/mappings.hpp"

namespace kforge {
namespace {

constexpr size_t k_most_tensors = 4096;

// Memory that can be mapped twice may be a result somewhere else, which nobody but its candidate is to write.
bool is_private(pid_t pid, uint64_t address, uint64_t end) {
    for (const auto& [first, last] : private_memory(pid, address, end))
        if (first <= address) address = std::max(address, last);
    return address >= end;
}

}  // namespace

std::optional<PlacedTensors> PlacedTensors::read(pid_t pid, const nlohmann::json& places, size_t most_bytes) {
    PlacedTensors found;
    found.m_pid = pid;
    if (!places.is_array() || places.size() > k_most_tensors) return std::nullopt;
    for (const nlohmann::json& place : places) {
        if (!place.is_array() || place.size() != 2 || !place[0].is_number_unsigned() ||
            !place[1].is_number_unsigned())
            return std::nullopt;
        const auto address = place[0].get<uint64_t>();
        const auto size = place[1].get<size_t>();
        if (size > most_bytes || address + size < address || !is_private(pid, address, address + size))
            return std::nullopt;
        most_bytes -= size;
        Tensor tensor{address, std::string(size, '\0')};
        if (!read_memory(pid, address, size, tensor.bytes.data())) return std::nullopt;
        found.m_tensors.push_back(std::move(tensor));
    }
    return found;
}

std::optional<PlacedTensors> PlacedTensors::with(std::vector<std::string> bytes) const {
    if (bytes.size() != m_tensors.size()) return std::nullopt;
    PlacedTensors others = *this;
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i].size() != m_tensors[i].bytes.size()) return std::nullopt;
        others.m_tensors[i].bytes = std::move(bytes[i]);
    }
    return others;
}

bool PlacedTensors::write() const {
    for (const Tensor& tensor : m_tensors) {
        if (tensor.bytes.empty()) continue;
        if (!is_private(m_pid, tensor.address, tensor.address + tensor.bytes.size())) return false;
        const iovec from{const_cast<char*>(tensor.bytes.data()), tensor.bytes.size()};
        const iovec to{reinterpret_cast<void*>(tensor.address), tensor.bytes.size()};
        if (::process_vm_writev(m_pid, &from, 1, &to, 1, 0) != static_cast<ssize_t>(tensor.bytes.size()))
            return false;
    }
    return true;
}

bool PlacedTensors::overlaps(uint64_t address, size_t size) const {
    return std::any_of(m_tensors.begin(), m_tensors.end(), [&](const Tensor& tensor) {
        return tensor.address < address + size && address < tensor.address + tensor.bytes.size();
    });
}

}  // namespace kforge
