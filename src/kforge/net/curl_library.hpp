// CurlLibrary: libcurl, loaded when the first request is made. Linked in, it and the thirty libraries behind
// it would more than double the time in which every command starts. Internal to net.
#pragma once

#include <curl/curl.h>

#include <string>

#include "kforge/util/result.hpp"

namespace kforge {

// The functions in use, by libcurl's own names less "curl_".
struct CurlLibrary {
    decltype(&curl_global_init) global_init;
    decltype(&curl_version_info) version_info;
    decltype(&curl_easy_init) easy_init;
    decltype(&curl_easy_setopt) easy_setopt;
    decltype(&curl_easy_getinfo) easy_getinfo;
    decltype(&curl_easy_reset) easy_reset;
    decltype(&curl_easy_cleanup) easy_cleanup;
    decltype(&curl_easy_strerror) easy_strerror;
    decltype(&curl_multi_init) multi_init;
    decltype(&curl_multi_cleanup) multi_cleanup;
    decltype(&curl_multi_add_handle) multi_add_handle;
    decltype(&curl_multi_remove_handle) multi_remove_handle;
    decltype(&curl_multi_perform) multi_perform;
    decltype(&curl_multi_info_read) multi_info_read;
    decltype(&curl_multi_poll) multi_poll;
    decltype(&curl_slist_append) slist_append;
    decltype(&curl_slist_free_all) slist_free_all;
};

// Loads it on the first call and keeps it; an environment error that says what to install. Thread-safe.
Result<const CurlLibrary*> curl_library();

}  // namespace kforge
