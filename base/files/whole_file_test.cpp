#include "base/files/whole_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <system_error>

#include "base/files/folder_for_test.h"

namespace base {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  FolderForTest folder;
};

TEST_F(WholeFile, IsReadWithAllItsBytes) {
  const std::string bytes("a\0\xff\r\nb", 6);
  write("some", bytes);
  write("empty", "");
  EXPECT_EQ(read_file(folder / "some"), bytes);
  EXPECT_EQ(read_file(folder / "empty"), "");
}

// Whoever keeps the settings of a machine's kernel keeps some 700 of them.
TEST_F(WholeFile, TakesNoMoreMemoryThanItsBytes) {
  write("short", "1\n");
  write("long", std::string(300'000, 'x'));
  EXPECT_LE(read_bytes(folder / "short").capacity(), 32u);
  EXPECT_LE(read_bytes(folder / "long").capacity(), 310'000u);
  EXPECT_LE(read_bytes("/proc/sys/kernel/ostype").capacity(), 32u) << "a file that states no size";
}

TEST_F(WholeFile, WhatCannotBeReadIsNothing) {
  EXPECT_FALSE(read_file(folder / "none"));
  EXPECT_FALSE(read_file(folder));
}

TEST_F(WholeFile, IsReadOnlyUpToALimit) {
  write("some", "123456");
  EXPECT_EQ(read_file(folder / "some", 6), "123456");
  EXPECT_FALSE(read_file(folder / "some", 5));
  EXPECT_FALSE(read_file("/dev/zero")) << "a file without an end";
  try {
    read_bytes(folder / "some", 5);
    FAIL() << "expected an error";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::file_too_large);
  }
}

TEST_F(WholeFile, APartTakesTheNameOfTheOldFile) {
  write("file", "old");
  write("file.part", "new");
  put_in_place(folder / "file.part", folder / "file");
  EXPECT_EQ(read_file(folder / "file"), "new");
  EXPECT_FALSE(fs::exists(folder / "file.part"));
}

TEST_F(WholeFile, AFailedPutInPlaceThrowsAndLeavesTheOldFile) {
  write("file", "old");
  try {
    put_in_place(folder / "file.part", folder / "file");
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string(error.what()).find("file.part"), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_file(folder / "file"), "old");
  write("file.part", "new");
  fs::create_directory(folder / "taken");
  EXPECT_THROW(put_in_place(folder / "file.part", folder / "taken"), std::system_error);
  EXPECT_TRUE(fs::exists(folder / "file.part"));
}

TEST_F(WholeFile, APendingOneHasItsNameOnlyOncePublished) {
  write("f", "old");
  {
    PendingFile file(folder, "f");
    file.write("ne");
    file.write("w");
    EXPECT_TRUE(fs::exists(folder / temporary_name("f")));
    file.sync();
    EXPECT_EQ(read_file(folder / "f"), "old");
    file.publish();
  }
  EXPECT_EQ(read_file(folder / "f"), "new");
  EXPECT_FALSE(fs::exists(folder / temporary_name("f")));
}

TEST_F(WholeFile, APendingOneThatIsNotPublishedLeavesTheOldFileAndNoTemporary) {
  fs::create_directory(folder / "g");
  {
    PendingFile file(folder, "g");
    EXPECT_THROW(file.publish(), std::system_error) << "a rename onto a folder";
    EXPECT_THROW(PendingFile(folder, "g"), std::system_error) << "another writes it";
  }
  EXPECT_TRUE(fs::is_directory(folder / "g"));
  EXPECT_FALSE(fs::exists(folder / temporary_name("g")));
}

TEST_F(WholeFile, ARegularOneIsReadUpToItsBound) {
  write("f", "four");
  EXPECT_EQ(read_regular_file(folder / "f"), "four");
  EXPECT_EQ(read_regular_file(folder / "f", 4), "four");
  EXPECT_THROW(read_regular_file(folder / "f", 3), std::system_error);
  EXPECT_THROW(read_regular_file(folder), std::system_error);
  EXPECT_THROW(read_regular_file(folder / "none"), std::system_error);
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(read_regular_file(folder / "fifo"), std::system_error);  // and does not wait
}

}  // namespace
}  // namespace base
