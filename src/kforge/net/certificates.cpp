#include "kforge/net/certificates.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <mutex>
#include <optional>

namespace kforge {
namespace {

constexpr std::string_view k_ca_variables[] = {"KFORGE_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"};

bool readable_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), R_OK) == 0;
}

// What other code may set, and what came of it.
struct LastCertificates {
    std::mutex mutex;
    CertificateSource source;
    std::optional<Result<fs::path>> found;
};

LastCertificates& last_certificates() {
    static LastCertificates last;
    return last;
}

}  // namespace

const std::vector<fs::path>& system_certificates() {
    static const std::vector<fs::path> k_files = {
        "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
        "/etc/pki/tls/certs/ca-bundle.crt",                   // the same, older
        "/etc/ssl/ca-bundle.pem",                             // SUSE
        "/var/lib/ca-certificates/ca-bundle.pem",             // SUSE, as the first one points to
        "/etc/ssl/cert.pem",                                  // Alpine, macOS
        "/etc/ssl/certs/ca-bundle.crt",                       // NixOS
    };
    return k_files;
}

Result<fs::path> find_certificates(const fs::path& named, const Environment& environment,
                                   const std::vector<fs::path>& system, const CertificateSource& last) {
    if (!named.empty()) {
        if (readable_file(named)) return named;
        return Error{ErrorKind::config, fmt::format("ca_file {} cannot be read", named.string())};
    }
    for (const std::string_view variable : k_ca_variables)
        for (const std::string& setting : environment)
            if (setting.size() > variable.size() && setting.starts_with(variable) &&
                setting[variable.size()] == '=')
                if (const fs::path path = setting.substr(variable.size() + 1); readable_file(path))
                    return path;
    for (const fs::path& path : system)
        if (readable_file(path)) return path;
    std::string nor;
    if (last) {
        const Result<fs::path> found = last();
        if (found.ok() && readable_file(*found)) return *found;
        nor = found.ok() ? fmt::format("; {} cannot be read", found->string())
                         : fmt::format("; {}", found.error().message);
    }
    return Error{
        ErrorKind::environment,
        fmt::format("no file of trusted certificates found, without which no server can be told from "
                    "an impostor: install the package ca-certificates, or name a file with "
                    "KFORGE_CA_BUNDLE, SSL_CERT_FILE or ca_file (none of the usual places, {} and "
                    "others, has one{})",
                    system.empty() ? "/etc/ssl" : system.front().string(), nor)};
}

Result<fs::path> trusted_certificates(const fs::path& named) {
    LastCertificates& last = last_certificates();
    const CertificateSource once = [&]() -> Result<fs::path> {
        const std::lock_guard lock(last.mutex);
        if (!last.found)
            last.found = last.source ? last.source()
                                     : Result<fs::path>(Error{ErrorKind::environment, "no Python was asked"});
        return *last.found;
    };
    return find_certificates(named,
                             inherit_environment({"KFORGE_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"}),
                             system_certificates(), once);
}

void set_last_certificates(CertificateSource source) {
    LastCertificates& last = last_certificates();
    const std::lock_guard lock(last.mutex);
    last.source = std::move(source);
    last.found.reset();
}

}  // namespace kforge
