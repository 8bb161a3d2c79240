#include "kforge/net/curl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace kforge {
namespace {

// The second is what git brings along on Debian: the same interface over another TLS library.
constexpr const char* k_curl_names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
constexpr unsigned k_oldest_curl = 0x075500;  // 7.85: CURLOPT_PROTOCOLS_STR

// Finds one function after the other and remembers the first that is not there.
class CurlSymbols {
  public:
    explicit CurlSymbols(void* library) : m_library(library) {}
    template <typename Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(::dlsym(m_library, name));
        if (function == nullptr && m_missing.empty()) m_missing = name;
    }
    const std::string& missing() const { return m_missing; }

  private:
    void* m_library;
    std::string m_missing;
};

std::string fill_table(void* library, CurlLibrary& curl) {
    CurlSymbols symbols(library);
    symbols.find(curl.global_init, "curl_global_init");
    symbols.find(curl.version_info, "curl_version_info");
    symbols.find(curl.easy_init, "curl_easy_init");
    symbols.find(curl.easy_setopt, "curl_easy_setopt");
    symbols.find(curl.easy_getinfo, "curl_easy_getinfo");
    symbols.find(curl.easy_reset, "curl_easy_reset");
    symbols.find(curl.easy_cleanup, "curl_easy_cleanup");
    symbols.find(curl.easy_strerror, "curl_easy_strerror");
    symbols.find(curl.multi_init, "curl_multi_init");
    symbols.find(curl.multi_cleanup, "curl_multi_cleanup");
    symbols.find(curl.multi_add_handle, "curl_multi_add_handle");
    symbols.find(curl.multi_remove_handle, "curl_multi_remove_handle");
    symbols.find(curl.multi_perform, "curl_multi_perform");
    symbols.find(curl.multi_info_read, "curl_multi_info_read");
    symbols.find(curl.multi_poll, "curl_multi_poll");
    symbols.find(curl.slist_append, "curl_slist_append");
    symbols.find(curl.slist_free_all, "curl_slist_free_all");
    if (!symbols.missing().empty()) return "it has no " + symbols.missing();
    const curl_version_info_data* version = curl.version_info(CURLVERSION_NOW);
    if (version->version_num < k_oldest_curl)
        return fmt::format("it is {}, and 7.85 is the oldest that will do", version->version);
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "it cannot be initialized";
    return "";
}

Result<const CurlLibrary*> load_curl() {
    static CurlLibrary curl;
    std::string problems;
    for (const char* name : k_curl_names) {
        // Never closed: its TLS library may have registered functions for the end of the process.
        void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        const char* reason = library == nullptr ? ::dlerror() : nullptr;
        const std::string problem =
            library == nullptr ? (reason != nullptr ? reason : name) : fill_table(library, curl);
        if (problem.empty()) return &curl;
        if (problems.empty()) problems = library == nullptr ? problem : fmt::format("{}: {}", name, problem);
    }
    return Error{
        ErrorKind::environment,
        fmt::format("libcurl, by which LLMs behind a server are asked, cannot be loaded ({}): install "
                    "it (Debian, Ubuntu: sudo apt-get install libcurl4; Fedora: libcurl; Alpine: "
                    "libcurl)",
                    problems)};
}

}  // namespace

Result<const CurlLibrary*> curl_library() {
    static const Result<const CurlLibrary*> library = load_curl();
    return library;
}

}  // namespace kforge
