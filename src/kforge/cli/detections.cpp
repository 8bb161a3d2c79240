#include "kforge/cli/detections.hpp"

#include <fmt/format.h>

#include "kforge/arena/arena.hpp"

namespace kforge {
namespace {

// A device may be here and be none that players can run on.
Detection detect_evaluable(const Platform& platform, const fs::path& python) {
    Detection detection = detect(platform, python);
    if (!detection.usable) return detection;
    if (const Result<void> can = can_evaluate_on(platform); !can.ok()) {
        detection.usable = false;
        detection.missing = fmt::format("the device is here, but candidates cannot be evaluated on '{}': {}",
                                        platform.device, can.error().message);
        detection.hint = "Candidates are checked without it.";
    }
    return detection;
}

}  // namespace

Detections::Found& Detections::found_of(const Platform& platform, const fs::path& python) {
    for (Found& found : m_found)
        if (found.platform.folder == platform.folder && found.python == python) return found;
    m_found.push_back({platform, python, std::nullopt, std::nullopt});
    return m_found.back();
}

Detection Detections::device(const Platform& platform, const fs::path& python) {
    const std::lock_guard lock(m_mutex);
    Found& found = found_of(platform, python);
    if (!found.device) found.device = detect_evaluable(found.platform, python);
    return *found.device;
}

std::vector<CheckState> Detections::checks(const Platform& platform, const fs::path& python) {
    const std::lock_guard lock(m_mutex);
    Found& found = found_of(platform, python);
    if (!found.checks) found.checks = detect_checks(found.platform, python);
    return *found.checks;
}

}  // namespace kforge
