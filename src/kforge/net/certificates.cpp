#include "kforge/net/certificates.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace kforge {
namespace {

constexpr std::string_view k_ca_variables[] = {"KFORGE_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"};
constexpr const char* k_ca_files[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine, macOS
};

bool readable_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), R_OK) == 0;
}

}  // namespace

Result<fs::path> find_certificates(const fs::path& named, const Environment& environment) {
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
    for (const char* path : k_ca_files)
        if (readable_file(path)) return fs::path(path);
    return Error{
        ErrorKind::environment,
        "no file of trusted certificates found: install the package ca-certificates, or name one with "
        "KFORGE_CA_BUNDLE or ca_file"};
}

}  // namespace kforge
