#include "kforge/net/curl_pool.hpp"

#include <mutex>
#include <vector>

namespace kforge {

struct CurlLease::Handles {
    const CurlLibrary& curl;
    CURL* easy = nullptr;
    CURLM* multi = nullptr;

    explicit Handles(const CurlLibrary& library)
        : curl(library), easy(library.easy_init()), multi(library.multi_init()) {}
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        if (easy != nullptr) curl.easy_cleanup(easy);
        if (multi != nullptr) curl.multi_cleanup(multi);
    }
};

namespace {

constexpr size_t k_idle_handles = 64;

struct CurlPool {
    std::mutex mutex;
    std::vector<std::unique_ptr<CurlLease::Handles>> idle;
};

CurlPool& curl_pool() {
    static CurlPool pool;
    return pool;
}

}  // namespace

CurlLease::CurlLease(std::unique_ptr<Handles> handles) : m_handles(std::move(handles)) {}
CurlLease::CurlLease(CurlLease&& other) noexcept = default;

Result<CurlLease> CurlLease::take() {
    TRY_ASSIGN(const CurlLibrary* const curl, curl_library());
    CurlPool& pool = curl_pool();
    {
        const std::lock_guard lock(pool.mutex);
        // The last one used has the freshest connection.
        if (!pool.idle.empty()) {
            std::unique_ptr<Handles> handles = std::move(pool.idle.back());
            pool.idle.pop_back();
            return CurlLease(std::move(handles));
        }
    }
    auto handles = std::make_unique<Handles>(*curl);
    if (handles->easy == nullptr || handles->multi == nullptr)
        return Error{ErrorKind::environment, "libcurl cannot be initialized: out of memory or descriptors"};
    return CurlLease(std::move(handles));
}

CurlLease::~CurlLease() {
    if (m_handles == nullptr) return;
    // Nothing of this request, its key least of all, stays in the handle; connections do.
    m_handles->curl.easy_reset(m_handles->easy);
    CurlPool& pool = curl_pool();
    const std::lock_guard lock(pool.mutex);
    if (pool.idle.size() < k_idle_handles) pool.idle.push_back(std::move(m_handles));
}

const CurlLibrary& CurlLease::curl() const {
    return m_handles->curl;
}
CURL* CurlLease::easy() const {
    return m_handles->easy;
}
CURLM* CurlLease::multi() const {
    return m_handles->multi;
}

}  // namespace kforge
