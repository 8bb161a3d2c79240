#include "kforge/arena/mappings.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kforge/util/fd.hpp"

namespace kforge {
namespace {

constexpr size_t k_size = 1 << 16;

struct Mapping {
    Mapping(int flags, int fd)
        : data(static_cast<char*>(::mmap(nullptr, k_size, PROT_READ | PROT_WRITE, flags, fd, 0))) {}
    ~Mapping() { ::munmap(data, k_size); }
    uint64_t at(size_t offset) const { return reinterpret_cast<uint64_t>(data) + offset; }
    char* const data;
};

// Whether the kernel is asked for single mappings, or for all of them.
struct MappingsTest : testing::TestWithParam<bool> {
    Fd file{::memfd_create("shared", MFD_CLOEXEC)};
    Fd other{::memfd_create("other", MFD_CLOEXEC)};
    Shown shown(uint64_t address, size_t size, const std::vector<int>& files) const {
        return what_is_shown(::getpid(), address, size, files, GetParam());
    }
    void SetUp() override {
        ASSERT_EQ(::ftruncate(file.get(), k_size), 0);
        ASSERT_EQ(::ftruncate(other.get(), k_size), 0);
    }
};

TEST_P(MappingsTest, PagesOfAFileAreFoundAtEveryAddressThatShowsThem) {
    const Mapping first(MAP_SHARED, file.get());
    const Mapping again(MAP_PRIVATE, file.get());
    for (const Mapping* mapping : {&first, &again}) {
        EXPECT_EQ(shown(mapping->at(0), k_size, {other.get(), file.get()}), Shown::files);
        EXPECT_EQ(shown(mapping->at(k_size - 1), 1, {file.get()}), Shown::files);
    }
}

TEST_P(MappingsTest, OtherMemoryIsNotTakenForTheFiles) {
    const Mapping anonymous(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    const Mapping another(MAP_SHARED, other.get());
    EXPECT_EQ(shown(anonymous.at(0), k_size, {file.get()}), Shown::own_memory);
    EXPECT_EQ(shown(another.at(0), k_size, {file.get()}), Shown::own_memory);
}

TEST_P(MappingsTest, OnePageInTheMiddleIsEnough) {
    const Mapping anonymous(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    ASSERT_NE(::mmap(anonymous.data + 8192, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, file.get(), 0),
              MAP_FAILED);
    EXPECT_EQ(shown(anonymous.at(0), k_size, {file.get()}), Shown::files);
    EXPECT_EQ(shown(anonymous.at(0), 8192, {file.get()}), Shown::own_memory);
}

TEST_P(MappingsTest, APrivateViewOfAFileIsNoMemoryOfItsOwn) {
    const Mapping shared(MAP_SHARED, other.get());
    const Mapping copy(MAP_PRIVATE, other.get());
    const Fd zeros{::open("/dev/zero", O_RDWR | O_CLOEXEC)};
    const Mapping blank(MAP_PRIVATE, zeros.get());
    EXPECT_EQ(shown(shared.at(0), k_size, {file.get()}), Shown::own_memory);
    EXPECT_EQ(shown(copy.at(k_size - 1), 1, {file.get()}), Shown::copy_to_be_made);
    EXPECT_EQ(shown(blank.at(0), k_size, {file.get()}), Shown::own_memory);
    // Whatever the file is called.
    for (const char* name : {"x /dev/zero", "x /anon_hugepage"}) {
        const Fd named{::memfd_create(name, MFD_CLOEXEC)};
        ASSERT_EQ(::ftruncate(named.get(), k_size), 0);
        const Mapping view(MAP_PRIVATE, named.get());
        EXPECT_EQ(shown(view.at(0), k_size, {file.get()}), Shown::copy_to_be_made) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MappingsTest, testing::Bool());

}  // namespace
}  // namespace kforge
