#include "base/progress_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/files/folder_for_test.h"

namespace base {
namespace {

class ProgressLinesTest : public testing::Test {
 protected:
  ProgressLines lines(ProgressLines::WhenFull when_full = ProgressLines::WhenFull::kLeaveOut) {
    return {"trainer", path_, when_full, [this](const std::string& s) { told_.push_back(s); }};
  }
  // A reader of a new FIFO.
  FileDescriptor reader() const {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
    return FileDescriptor(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }
  std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  FolderForTest folder_;
  std::string path_ = (folder_ / "events").string();
  std::vector<std::string> told_;
};

TEST_F(ProgressLinesTest, AreAppendedOneObjectALine) {
  std::ofstream(path_) << "before\n";
  lines().write("step", {{"step", 7}});
  EXPECT_EQ(content(), "before\n{\"source\":\"trainer\",\"event\":\"step\",\"step\":7}\n");
  EXPECT_TRUE(told_.empty());
}

TEST_F(ProgressLinesTest, ReplaceWhatIsNoUtf8) {
  lines().write("stop", {{"reason", "broken \xff text"}});
  EXPECT_EQ(nlohmann::json::parse(content())["reason"], "broken \uFFFD text");
}

TEST_F(ProgressLinesTest, AreOffForAFifoWithoutAReader) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  lines().write("step", {{"step", 1}});
  EXPECT_TRUE(told_.empty());
}

TEST_F(ProgressLinesTest, ReportThatAFileCannotBeOpened) {
  path_ = (folder_ / "no" / "folder").string();
  lines().write("step", {{"step", 1}});
  EXPECT_EQ(told_, (std::vector{"no progress lines: " + path_ + ": No such file or directory"}));
}

TEST_F(ProgressLinesTest, EndWithTheirReaderAndNotTheProgram) {
  FileDescriptor read_end = reader();
  ProgressLines to = lines();
  to.write("step", {{"step", 1}});
  read_end = FileDescriptor();
  to.write("step", {{"step", 2}});
  to.write("step", {{"step", 3}});
  EXPECT_EQ(told_, (std::vector{"progress line not written to " + path_ +
                                ": Broken pipe: {\"source\":\"trainer\",\"event\":\"step\","
                                "\"step\":2}"}));
}

TEST_F(ProgressLinesTest, AreLeftOutWhereTheReaderIsBehindAndComeAgain) {
  const FileDescriptor read_end = reader();
  ProgressLines to = lines();
  const std::string kilobyte(1000, 'x');
  for (int i = 0; i < 1000 && told_.empty(); ++i) to.write("phase", {{"name", kilobyte}});
  ASSERT_EQ(told_.size(), 1u);
  std::vector<char> room(1 << 20);
  EXPECT_GT(read(read_end.get(), room.data(), room.size()), 0);
  to.write("phase", {{"name", "train"}});
  EXPECT_EQ(told_.size(), 1u);
}

}  // namespace
}  // namespace base
