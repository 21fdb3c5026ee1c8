#include "base/files/text_file.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"

namespace base {
namespace {

std::string error_of(const std::filesystem::path& file) {
  try {
    write_text_file(file, "text");
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(TextFile, IsReplaced) {
  const FolderForTest folder;
  write_text_file(folder / "a", "a longer text\n");
  write_text_file(folder / "a", "short\n");
  EXPECT_EQ(read_file(folder / "a"), "short\n");
}

TEST(TextFile, ReportsWhyItCannotBeWritten) {
  const FolderForTest folder;
  EXPECT_EQ(error_of(folder / "none/a"), (folder / "none/a").string() +
                                             ": cannot be written (No such file or directory), "
                                             "expected a file in an existing folder");
  EXPECT_NE(error_of("/dev/full").find("(No space left on device)"), std::string::npos);
}

}  // namespace
}  // namespace base
