#include "kforge/net/url.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(Url, TakesAnAddressApart) {
    const Result<Url> url = parse_url("https://API.Example.com:8443/openai/v1/");
    ASSERT_TRUE(url.ok());
    EXPECT_EQ(url->scheme, "https");
    EXPECT_EQ(url->host, "api.example.com");
    EXPECT_EQ(url->path, "/openai/v1");
    EXPECT_EQ(parse_url("http://[::1]:80")->host, "::1");
    EXPECT_EQ(parse_url("http://localhost")->path, "");
    EXPECT_EQ(parse_url("HTTP://my_host:8080")->scheme, "http");
    EXPECT_EQ(parse_url("https://host/v1/models/a@b:c")->path, "/v1/models/a@b:c");
}

TEST(Url, RefusesWhatIsNoPlaceForAPromptAndRepeatsNoSecret) {
    for (const char* text :
         {"", "localhost:8080", "ftp://host/", "file:///etc/passwd", "https://sk-secret@host/v1",
          "https://me:sk-secret@host/v1", "https://host/v1?key=sk-secret", "https://host/v1#x", "sk-secret",
          "https://",
          // What other readers of addresses might take for another host or another request.
          "http://localhost\\@evil.example/", "http://localhost:80@evil.example/", "http://local host/",
          "http://localhost\r\nHost: evil/", "http://host/a b", "http://localhost%2eevil.example/",
          "http://[::1]evil.example/", "http://[::1", "http://host:80:90/", "http://host:99999/",
          "http://host:/", "http://host:8o/", "http://h\xC3\xB6st/", "://host/"}) {
        const Result<Url> url = parse_url(text);
        ASSERT_FALSE(url.ok()) << text;
        EXPECT_EQ(url.error().kind, ErrorKind::config);
        EXPECT_EQ(url.error().message.find("sk-secret"), std::string::npos) << url.error().message;
    }
}

TEST(Url, KnowsThisMachine) {
    for (const char* host : {"localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"})
        EXPECT_TRUE(is_loopback(host)) << host;
    for (const char* host :
         {"127.evil.example", "localhost.evil.example", "10.0.0.1", "example.com", "", "::2", "notlocalhost"})
        EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace kforge
