#include "kforge/cli/detections.hpp"

namespace kforge {

Detections::Found& Detections::found_of(const Platform& platform, const fs::path& python) {
    for (Found& found : m_found)
        if (found.platform.folder == platform.folder && found.python == python) return found;
    m_found.push_back({platform, python, std::nullopt, std::nullopt});
    return m_found.back();
}

Detection Detections::device(const Platform& platform, const fs::path& python) {
    const std::lock_guard lock(m_mutex);
    Found& found = found_of(platform, python);
    if (!found.device) found.device = detect(found.platform, python);
    return *found.device;
}

std::vector<CheckState> Detections::checks(const Platform& platform, const fs::path& python) {
    const std::lock_guard lock(m_mutex);
    Found& found = found_of(platform, python);
    if (!found.checks) found.checks = detect_checks(found.platform, python);
    return *found.checks;
}

}  // namespace kforge
