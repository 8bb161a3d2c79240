// Detections: what was found of each platform, asked of the machine once: probes import PyTorch and take
// seconds. Thread-safe.
#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kforge/platform/platform.hpp"

namespace kforge {

class Detections {
  public:
    // As detect() and detect_checks(); usable is what KForge can evaluate on. What the results point to lives
    // as long as this.
    Detection device(const Platform& platform, const fs::path& python);
    std::vector<CheckState> checks(const Platform& platform, const fs::path& python);

  private:
    struct Found {
        Platform platform;
        fs::path python;
        std::optional<Detection> device;
        std::optional<std::vector<CheckState>> checks;
    };
    Found& found_of(const Platform& platform, const fs::path& python);

    std::mutex m_mutex;
    std::list<Found> m_found;
};

}  // namespace kforge
