#include "kforge/util/failpoint.hpp"

#include <utility>

namespace kforge {

std::atomic<const FailpointHandler*> detail::failpoint_handler{nullptr};

void set_failpoint_handler(FailpointHandler handler) {
    const FailpointHandler* next = handler ? new FailpointHandler(std::move(handler)) : nullptr;
    delete detail::failpoint_handler.exchange(next);
}

}  // namespace kforge
