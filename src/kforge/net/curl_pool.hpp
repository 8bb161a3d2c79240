// libcurl handles with their open connections, kept between requests. Internal to net.
#pragma once

#include <memory>

#include "kforge/net/curl_library.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

// One handle for one request; goes back to the pool, with its connection, when the lease ends.
class CurlLease {
  public:
    static Result<CurlLease> take();
    CurlLease(CurlLease&& other) noexcept;
    ~CurlLease();
    const CurlLibrary& curl() const;
    CURL* easy() const;
    CURLM* multi() const;

    struct Handles;

  private:
    explicit CurlLease(std::unique_ptr<Handles> handles);
    std::unique_ptr<Handles> m_handles;
};

}  // namespace kforge
