// Which file of certificates to trust. Knows the usual places; knows nothing of requests. Thread-safe.
#pragma once

#include <functional>

#include "kforge/util/fs.hpp"
#include "kforge/util/process.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

using CertificateSource = std::function<Result<fs::path>()>;

// Where systems keep theirs.
const std::vector<fs::path>& system_certificates();

// `named` when it is not empty (an error if it cannot be read), else the first readable of KFORGE_CA_BUNDLE,
// CURL_CA_BUNDLE and SSL_CERT_FILE in `environment`, of `system`, and at last what `last` gives, if it is
// set.
Result<fs::path> find_certificates(const fs::path& named, const Environment& environment,
                                   const std::vector<fs::path>& system = system_certificates(),
                                   const CertificateSource& last = {});

// The same for this process, with the source that was set.
Result<fs::path> trusted_certificates(const fs::path& named);
// Asked where nothing else is found, once per process.
void set_last_certificates(CertificateSource source);

}  // namespace kforge
