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

TEST_F(Certificates, ThenComeThePlacesOfTheSystemAndAtLastTheSource) {
    const std::string second = file("second"), last = file("last");
    const CertificateSource give_last = [&] { return Result<fs::path>(fs::path(last)); };
    const std::vector<fs::path> places = {m_folder.path() / "none", m_folder.path(), second};
    EXPECT_EQ(find_certificates({}, {}, places, give_last).value(), second);
    EXPECT_EQ(find_certificates({}, {"SSL_CERT_FILE=" + file("set")}, places, give_last).value(),
              m_folder.path() / "set");
    EXPECT_EQ(find_certificates({}, {}, {"/nowhere"}, give_last).value(), last);
}

TEST_F(Certificates, WithoutAnyOneMessageSaysWhatToDo) {
    const CertificateSource none = [] { return Error{ErrorKind::environment, "python3 has no certifi"}; };
    for (const CertificateSource& source : {CertificateSource(), none}) {
        const Result<fs::path> found = find_certificates({}, {"SSL_CERT_FILE=/nowhere"}, {"/here"}, source);
        ASSERT_FALSE(found.ok());
        EXPECT_EQ(found.error().kind, ErrorKind::environment);
        for (const char* word : {"install the package ca-certificates", "KFORGE_CA_BUNDLE", "/here"})
            EXPECT_NE(found.error().message.find(word), std::string::npos) << found.error().message;
        EXPECT_EQ(found.error().message.find("has no certifi") != std::string::npos, bool(source));
    }
}

TEST_F(Certificates, TheSourceIsAskedOnce) {
    int asked = 0;
    set_last_certificates([&asked] {
        ++asked;
        return Error{ErrorKind::environment, "none"};
    });
    // Where this system has certificates, nobody is asked at all.
    const bool first = trusted_certificates({}).ok();
    EXPECT_EQ(trusted_certificates({}).ok(), first);
    EXPECT_EQ(asked, first ? 0 : 1);
    set_last_certificates({});
}

}  // namespace
}  // namespace kforge
