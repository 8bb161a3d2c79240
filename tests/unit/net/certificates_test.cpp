#include "kforge/net/certificates.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

class Certificates : public ::testing::Test {
  protected:
    std::string file(const std::string& name) const {
        EXPECT_TRUE(write_file_durable(m_folder.path() / name, "certificates").ok());
        return (m_folder.path() / name).string();
    }
    TemporaryDirectory m_folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-certificates-").value();
};

TEST_F(Certificates, TheNamedFileComesFirstAndMustBeThere) {
    const std::string named = file("named");
    EXPECT_EQ(find_certificates(named, {"KFORGE_CA_BUNDLE=" + file("other")}).value(), named);
    const Result<fs::path> missing =
        find_certificates(m_folder.path() / "none", {"KFORGE_CA_BUNDLE=" + file("other")});
    ASSERT_FALSE(missing.ok());
    EXPECT_NE(missing.error().message.find("none"), std::string::npos);
}

TEST_F(Certificates, VariablesComeInTheirOrderAndUnreadableOnesArePassedOver) {
    const std::string one = file("one"), two = file("two"), three = file("three");
    const Environment all = {"SSL_CERT_FILE=" + three, "CURL_CA_BUNDLE=" + two, "KFORGE_CA_BUNDLE=" + one};
    EXPECT_EQ(find_certificates({}, all).value(), one);
    EXPECT_EQ(find_certificates({}, {"SSL_CERT_FILE=" + three, "CURL_CA_BUNDLE=" + two}).value(), two);
    EXPECT_EQ(find_certificates({}, {"SSL_CERT_FILE=" + three, "KFORGE_CA_BUNDLE=/nowhere"}).value(), three);
}

}  // namespace
}  // namespace kforge
