#include "kforge/llm/builtin.hpp"

namespace kforge {

std::vector<Llm> builtin_llms() {
    return {
        {.name = "mailbox", .provider = "mailbox", .sees_images = true, .origin = "built in"},
    };
}

}  // namespace kforge
