#include "base/whole_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <system_error>

namespace base {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  WholeFile() {
    std::string name = fs::temp_directory_path() / "whole-file.XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~WholeFile() override { fs::remove_all(folder); }
  void write(const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  fs::path folder;
};

TEST_F(WholeFile, IsReadWithAllItsBytes) {
  const std::string bytes("a\0\xff\r\nb", 6);
  write("some", bytes);
  write("empty", "");
  EXPECT_EQ(read_file(folder / "some"), bytes);
  EXPECT_EQ(read_file(folder / "empty"), "");
}

TEST_F(WholeFile, WhatCannotBeReadIsNothing) {
  EXPECT_FALSE(read_file(folder / "none"));
  EXPECT_FALSE(read_file(folder));
}

TEST_F(WholeFile, APartTakesTheNameOfTheOldFile) {
  write("file", "old");
  write("file.part", "new");
  put_in_place(folder / "file.part", folder / "file");
  EXPECT_EQ(read_file(folder / "file"), "new");
  EXPECT_FALSE(fs::exists(folder / "file.part"));
}

TEST_F(WholeFile, WhatCannotBePutInPlaceIsSaidAndLeavesTheOldFile) {
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

}  // namespace
}  // namespace base
