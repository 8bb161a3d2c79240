#include "kforge/net/waiting.hpp"

#include <poll.h>

#include <algorithm>

#include "kforge/util/interrupt.hpp"

namespace kforge {

Result<void> wait_until(std::chrono::steady_clock::time_point when) {
    for (;;) {
        if (interrupted()) return interrupted_error();
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now());
        if (left.count() <= 0) return {};
        pollfd waited{interrupt_fd(), POLLIN, 0};
        ::poll(&waited, 1, static_cast<int>(std::min<long>(left.count(), 60'000)));
    }
}

}  // namespace kforge
