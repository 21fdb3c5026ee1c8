#include "sim/guest/warm/image_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"

namespace sim::guest::warm {
namespace {

namespace fs = std::filesystem;

base::FileDescriptor image_of(const std::string& bytes) {
  base::FileDescriptor out(memfd_create("image", MFD_CLOEXEC));
  EXPECT_EQ(write(out.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return out;
}

void expect_unchangeable(const base::FileDescriptor& image) {
  const std::string path = "/proc/self/fd/" + std::to_string(image.get());
  EXPECT_EQ(base::read_bytes(path), "image");
  for (const int how : {O_RDONLY, O_RDWR}) {
    const base::FileDescriptor again(open(path.c_str(), how | O_CLOEXEC));
    EXPECT_LT(write(again.get(), "other", 5), 0);
    EXPECT_NE(ftruncate(again.get(), 0), 0);
  }
  EXPECT_LT(write(image.get(), "other", 5), 0);
  EXPECT_EQ(base::read_bytes(path), "image");
}

TEST(ImageInMemory, CannotBeChanged) {
  ImageInMemory memory;
  ASSERT_EQ(write(memory.descriptor(), "image", 5), 5);
  expect_unchangeable(memory.finish());
}

// As while another thread starts a program.
TEST(ImageInMemory, CannotBeChangedByAProcessThatStillHasItOpen) {
  ImageInMemory memory;
  ASSERT_EQ(write(memory.descriptor(), "image", 5), 5);
  const base::FileDescriptor writable(fcntl(memory.descriptor(), F_DUPFD_CLOEXEC, 0));
  expect_unchangeable(memory.finish());
}

// Empty if there is no image.
std::optional<std::string> found(const ImageCache& cache) {
  const base::FileDescriptor image = cache.find();
  if (!image) return std::nullopt;
  return base::read_bytes("/proc/self/fd/" + std::to_string(image.get()));
}

fs::path only_file(const base::FolderForTest& folder) {
  const fs::directory_iterator all(folder.path());
  EXPECT_EQ(std::distance(begin(all), end(all)), 1);
  return fs::directory_iterator(folder.path())->path();
}

// A variable of the environment during a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* now = std::getenv(name)) before_ = now;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

const std::string kBytes = std::string(3'000'000, 'a') + "end";

TEST(ImageCache, FindsWhatWasKeptUnderTheSameKeyOnly) {
  const base::FolderForTest folder;
  const ImageCache cache(folder.path(), "one\nkey");
  EXPECT_EQ(found(cache), std::nullopt);
  cache.keep(image_of(kBytes).get());
  EXPECT_EQ(found(cache), kBytes);
  EXPECT_EQ(found(ImageCache(folder.path(), "another key")), std::nullopt);
}

TEST(ImageCache, GivesAFileThatNobodyCanChange) {
  const base::FolderForTest folder;
  const ImageCache cache(folder.path(), "key");
  cache.keep(image_of(kBytes).get());
  const base::FileDescriptor image = cache.find();
  EXPECT_LT(pwrite(image.get(), "b", 1, 0), 0);
  EXPECT_LT(ftruncate(image.get(), 0), 0);
}

TEST(ImageCache, IgnoresATruncatedOrChangedFileUntilItIsReplaced) {
  const base::FolderForTest folder;
  const ImageCache cache(folder.path(), "key");
  for (const std::uint64_t place : {0UL, 1'000'000UL, kBytes.size() + 1, kBytes.size() + 10}) {
    cache.keep(image_of(kBytes).get());
    std::fstream file(only_file(folder), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(place));
    file.put('#');
    file.close();
    EXPECT_EQ(found(cache), std::nullopt) << place;
  }
  for (const std::uint64_t bytes : {0UL, 7UL, 1'000'000UL, kBytes.size() + 20}) {
    cache.keep(image_of(kBytes).get());
    EXPECT_EQ(found(cache), kBytes);
    fs::resize_file(only_file(folder), bytes);
    EXPECT_EQ(found(cache), std::nullopt) << bytes;
  }
}

TEST(ImageCache, IgnoresAFileThatOthersCouldHaveWritten) {
  const base::FolderForTest folder;
  const ImageCache cache(folder.path(), "key");
  cache.keep(image_of(kBytes).get());
  const fs::path file = only_file(folder);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  fs::permissions(file, fs::perms(0620));
  EXPECT_EQ(found(cache), std::nullopt);
  fs::permissions(file, fs::perms(0600));
  EXPECT_EQ(found(cache), kBytes);
  if (geteuid() != 0) return;
  ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
  EXPECT_EQ(found(cache), std::nullopt);
}

TEST(ImageCache, KeepsTheEightImagesThatWereUsedLast) {
  const base::FolderForTest folder;
  const auto cache = [&](int key) { return ImageCache(folder.path(), std::to_string(key)); };
  std::ofstream(folder.path() / "other");
  const auto age = [&] {
    for (const auto& entry : fs::directory_iterator(folder.path()))
      fs::last_write_time(entry.path(), entry.last_write_time() - std::chrono::seconds(1));
  };
  for (int key = 0; key < 8; ++key) {
    cache(key).keep(image_of(kBytes).get());
    age();
  }
  EXPECT_EQ(found(cache(0)), kBytes);  // so now 1 is the oldest
  cache(8).keep(image_of(kBytes).get());
  EXPECT_EQ(found(cache(0)), kBytes);
  EXPECT_EQ(found(cache(1)), std::nullopt);
  EXPECT_EQ(found(cache(8)), kBytes);
  EXPECT_TRUE(fs::exists(folder.path() / "other"));
}

TEST(ImageCache, ThrowsAndLeavesNothingIfTheFolderIsMissing) {
  const base::FolderForTest folder;
  const ImageCache cache(folder.path() / "missing", "key");
  EXPECT_THROW(cache.keep(image_of(kBytes).get()), std::system_error);
}

TEST(CacheFolder, IsOfThisUserOnly) {
  const base::FolderForTest folder;
  const Variable cache("XDG_CACHE_HOME", folder.path() / "a/b");
  EXPECT_EQ(cache_folder(), folder.path() / "a/b/spotsim");
  EXPECT_EQ(fs::status(cache_folder()).permissions(), fs::perms(0700));
  EXPECT_EQ(cache_folder(), folder.path() / "a/b/spotsim");  // it exists now
  fs::permissions(cache_folder(), fs::perms(0777));
  EXPECT_THROW(cache_folder(), std::runtime_error);
}

TEST(CacheFolder, IsBelowHomeWithoutXdgCacheHome) {
  const base::FolderForTest folder;
  const Variable cache("XDG_CACHE_HOME", "relative"), home("HOME", folder.path());
  EXPECT_EQ(cache_folder(), folder.path() / ".cache/spotsim");
}

TEST(CacheFolder, OfRootIsNotInTheHomeOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  const base::FolderForTest folder;
  ASSERT_EQ(chown(folder.path().c_str(), 12345, 12345), 0);
  const Variable cache("XDG_CACHE_HOME", ""), home("HOME", folder.path());
  EXPECT_THROW(cache_folder(), std::runtime_error);
  EXPECT_FALSE(fs::exists(folder.path() / ".cache"));
}

}  // namespace
}  // namespace sim::guest::warm
