// PlacedTensors: tensors of a stopped process that are written from outside before each of its calls: none of
// its code runs for that, and it is not told. Where they lie the process tells, what they hold does not come
// from it; that it is memory of its own, which shows in no other place, the kernel tells.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kforge {

class PlacedTensors {
  public:
    // `places`: {name: [address, size]}. Nothing where one of those whose bytes are given has no such place.
    // `changing` are those of them that a call may change.
    static std::optional<PlacedTensors> find(pid_t pid, const nlohmann::json& places,
                                             std::map<std::string, std::string> bytes,
                                             std::vector<std::string> changing);
    // All of them, with what lies there now, of a process that is trusted.
    static std::optional<PlacedTensors> find(pid_t pid, const nlohmann::json& places);

    // Everything is as it was, but for `others`, which this call has in place of some: by name. False where
    // they are not there any more, or not in that memory.
    bool prepare_call(const std::map<std::string, std::string>& others = {});
    bool fits(const std::string& name, size_t size) const;
    bool overlaps(uint64_t address, size_t size) const;

  private:
    struct Tensor {
        uint64_t address = 0;
        std::string bytes;
    };
    bool write(const Tensor& tensor, const std::string& bytes) const;

    pid_t m_pid = 0;
    std::map<std::string, Tensor> m_tensors;
    std::vector<std::string> m_changing;
    std::set<std::string> m_written;  // others of the last call
};

}  // namespace kforge
