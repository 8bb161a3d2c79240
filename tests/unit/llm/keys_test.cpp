#include "kforge/llm/keys.hpp"

#include <cstdlib>

#include "llm_test.hpp"

namespace kforge {
namespace {

class LlmKeys : public LlmTest {
  protected:
    void SetUp() override { ::setenv("KFORGE_TEST_LLM_KEY", " sk-0123456789 \n", 1); }
    void TearDown() override { ::unsetenv("KFORGE_TEST_LLM_KEY"); }
    const Llm m_llm{.name = "x", .key_variable = "KFORGE_TEST_LLM_KEY"};
};

TEST_F(LlmKeys, ComeFromTheirVariableAndGoIntoHeadersOnly) {
    const Key key = Key::find(m_llm).value();
    EXPECT_EQ(key.put_into("authorization: Bearer {key}"), "authorization: Bearer sk-0123456789");
    EXPECT_EQ(key.mask("not sk-0123456789, sk-0123456789!"),
              "not [KFORGE_TEST_LLM_KEY], [KFORGE_TEST_LLM_KEY]!");
    EXPECT_TRUE(Key::find({.name = "local"}).value().empty());
}

TEST_F(LlmKeys, AMissingOneIsNamed) {
    ::unsetenv("KFORGE_TEST_LLM_KEY");
    const Result<Key> key = Key::find(m_llm);
    ASSERT_FALSE(key.ok());
    EXPECT_EQ(key.error().kind, ErrorKind::environment);
    EXPECT_NE(key.error().message.find("KFORGE_TEST_LLM_KEY"), std::string::npos);
}

TEST_F(LlmKeys, OnesThatWouldBreakAHeaderAreRefusedUnseen) {
    ::setenv("KFORGE_TEST_LLM_KEY", "sk-0123\r\nx-evil: 1", 1);
    const Result<Key> key = Key::find(m_llm);
    ASSERT_FALSE(key.ok());
    EXPECT_EQ(key.error().message.find("sk-0123"), std::string::npos);
}

TEST_F(LlmKeys, ACommandRunsOncePerProcess) {
    const fs::path count = folder() / "count";
    const Llm llm{
        .name = "x",
        .key_command = {program("key", "echo run >> " + count.string() + "; echo sk-from-command").string()}};
    EXPECT_EQ(Key::find(llm).value().put_into("{key}"), "sk-from-command");
    EXPECT_EQ(Key::find(llm).value().put_into("{key}"), "sk-from-command");
    EXPECT_EQ(content(count), "run\n");
}

TEST_F(LlmKeys, AreMaskedInAStreamWhereverItIsCut) {
    const Key key = Key::find(m_llm).value();
    const std::string text = "a sk-01 b sk-0123456789 c sk-012345678";
    for (size_t size = 1; size <= text.size(); ++size) {
        std::string out;
        MaskedStream stream(key, [&](std::string_view piece) { out += piece; });
        for (size_t at = 0; at < text.size(); at += size)
            stream.feed(std::string_view(text).substr(at, size));
        stream.finish();
        EXPECT_EQ(out, "a sk-01 b [KFORGE_TEST_LLM_KEY] c sk-012345678") << "in pieces of " << size;
    }
}

}  // namespace
}  // namespace kforge
