// Which file of certificates to trust. Knows the usual places; knows nothing of requests.
#pragma once

#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// `named` when it is not empty (an error if it cannot be read), else the first readable of KFORGE_CA_BUNDLE,
// CURL_CA_BUNDLE and SSL_CERT_FILE in `environment`, then of the places where systems keep theirs.
Result<fs::path> find_certificates(const fs::path& named, const Environment& environment);

}  // namespace kforge
