// SHA-256 (FIPS 180-4): names for content.
#pragma once

#include <string>
#include <string_view>

namespace kforge {

std::string sha256_hex(std::string_view data);

}  // namespace kforge
