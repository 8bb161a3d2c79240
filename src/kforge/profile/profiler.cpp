#include "kforge/profile/profiler.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kforge {

Result<Profile> take_torch_profile(const ProfileTarget& target);

const std::vector<ProfilerRow>& profiler_table() {
    static const std::vector<ProfilerRow> k_table = {
        {"torch", "torch.profiler: operators by time, no privilege needed", take_torch_profile},
    };
    return k_table;
}

Result<Profile> take_profile(const std::vector<std::string>& preferred, const ProfileTarget& target,
                             std::vector<std::string>& notes) {
    for (const std::string& name : preferred) {
        const auto& table = profiler_table();
        const auto row =
            std::find_if(table.begin(), table.end(), [&](const auto& r) { return r.name == name; });
        if (row == table.end()) {
            notes.push_back(fmt::format("no profiler is called '{}'", name));
            continue;
        }
        Result<Profile> profile = row->take(target);
        if (profile.ok() || profile.error().kind == ErrorKind::cancelled) return profile;
        notes.push_back(fmt::format("profiler {}: {}", name, profile.error().message));
    }
    return Error{ErrorKind::environment, "no profiler gave a profile"};
}

}  // namespace kforge
