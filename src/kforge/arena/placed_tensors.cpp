#include "kforge/arena/placed_tensors.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <utility>

#include "kforge/arena/freezer.hpp"
#include "kforge/arena/mappings.hpp"

namespace kforge {
namespace {

constexpr size_t k_largest_place = size_t{1} << 40;  // that a process could be right about

struct Place {
    uint64_t address = 0;
    size_t size = 0;
};

std::optional<Place> read_place(const nlohmann::json& place) {
    if (!place.is_array() || place.size() != 2 || !place[0].is_number_unsigned() ||
        !place[1].is_number_unsigned())
        return std::nullopt;
    const Place found{place[0].get<uint64_t>(), place[1].get<size_t>()};
    if (found.size > k_largest_place || found.address + found.size < found.address) return std::nullopt;
    return found;
}

// Memory that can be mapped twice may be a result somewhere else, which nobody but its candidate is to write.
bool is_private(pid_t pid, uint64_t address, uint64_t end) {
    for (const auto& [first, last] : private_memory(pid, address, end))
        if (first <= address) address = std::max(address, last);
    return address >= end;
}

}  // namespace

std::optional<PlacedTensors> PlacedTensors::find(pid_t pid, const nlohmann::json& places,
                                                 std::map<std::string, std::string> bytes,
                                                 std::vector<std::string> changing) {
    PlacedTensors found;
    found.m_pid = pid;
    found.m_changing = std::move(changing);
    if (!places.is_object()) return std::nullopt;
    for (auto& [name, value] : bytes) {
        const auto told = places.find(name);
        if (told == places.end()) return std::nullopt;
        const std::optional<Place> place = read_place(*told);
        if (!place || place->size != value.size() ||
            !is_private(pid, place->address, place->address + place->size))
            return std::nullopt;
        found.m_tensors[name] = Tensor{place->address, std::move(value)};
    }
    return found;
}

std::optional<PlacedTensors> PlacedTensors::find(pid_t pid, const nlohmann::json& places) {
    std::map<std::string, std::string> bytes;
    std::vector<std::string> names;
    if (!places.is_object()) return std::nullopt;
    for (const auto& [name, told] : places.items()) {
        const std::optional<Place> place = read_place(told);
        if (!place) return std::nullopt;
        std::string& value = bytes[name] = std::string(place->size, '\0');
        if (!read_memory(pid, place->address, place->size, value.data())) return std::nullopt;
        names.push_back(name);
    }
    return find(pid, places, std::move(bytes), std::move(names));
}

bool PlacedTensors::prepare_call(const std::map<std::string, std::string>& others) {
    std::set<std::string> again(m_changing.begin(), m_changing.end());
    again.merge(std::exchange(m_written, {}));
    for (const auto& [name, bytes] : others) {
        const auto tensor = m_tensors.find(name);
        if (tensor == m_tensors.end() || !write(tensor->second, bytes)) return false;
        again.erase(name);
        m_written.insert(name);
    }
    return std::all_of(again.begin(), again.end(), [&](const std::string& name) {
        const auto tensor = m_tensors.find(name);
        return tensor != m_tensors.end() && write(tensor->second, tensor->second.bytes);
    });
}

bool PlacedTensors::write(const Tensor& tensor, const std::string& bytes) const {
    if (bytes.size() != tensor.bytes.size()) return false;
    if (bytes.empty()) return true;
    if (!is_private(m_pid, tensor.address, tensor.address + bytes.size())) return false;
    const iovec from{const_cast<char*>(bytes.data()), bytes.size()};
    const iovec to{reinterpret_cast<void*>(tensor.address), bytes.size()};
    return ::process_vm_writev(m_pid, &from, 1, &to, 1, 0) == static_cast<ssize_t>(bytes.size());
}

bool PlacedTensors::fits(const std::string& name, size_t size) const {
    const auto tensor = m_tensors.find(name);
    return tensor != m_tensors.end() && tensor->second.bytes.size() == size;
}

bool PlacedTensors::overlaps(uint64_t address, size_t size) const {
    return std::any_of(m_tensors.begin(), m_tensors.end(), [&](const auto& item) {
        const Tensor& tensor = item.second;
        return tensor.address < address + size && address < tensor.address + tensor.bytes.size();
    });
}

}  // namespace kforge
