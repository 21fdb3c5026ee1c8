#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"

namespace sim::cli {
namespace {

class TraceFolder : public OnTheCommandLine {
 protected:
  TraceFolder() : OnTheCommandLine({add_trace_command}) {}

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
};

constexpr char kCapacity[] =
    R"({"metadata": {"gap_seconds": 600, "start_time": "2022-10-26"}, "data": [1, 0, 4]})";

TEST_F(TraceFolder, StandsForItsTracesInTheOrderOfTheirNames) {
  write("zones/us-west-2b_k80_8.json", kCapacity);
  write("zones/us-west-2a_k80_8.json", kCapacity);
  write("zones/deeper/us-west-2c_k80_8.json", kCapacity);
  ASSERT_EQ(spotsim("trace inspect " + path("zones/us-west-2a_k80_8.json") + " " +
                    path("zones/us-west-2b_k80_8.json")),
            0)
      << err_;
  const std::string of_files = out_;
  ASSERT_EQ(spotsim("trace inspect " + path("zones")), 0) << err_;
  EXPECT_EQ(out_, of_files);
}

TEST_F(TraceFolder, OfWindowsIsReadWithItsIndex) {
  write("windows.txt", "0011\n1100\n");
  write("start_indices.json", R"({"zones_in_order": ["us-west-2b_k80_8"], "gap_seconds": 60})");
  ASSERT_EQ(spotsim("trace inspect " + folder_.string()), 0) << err_;
  EXPECT_NE(out_.find("windows.txt: windows: 1 is unavailable\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("us-west-2b"), std::string::npos) << out_;
}

TEST_F(TraceFolder, WithoutATraceOrWithAnotherFileIsAnErrorWithItsName) {
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(spotsim("trace inspect " + path("empty")), 2);
  EXPECT_EQ(err_, "spotsim: " + path("empty") +
                      ": found a folder without files, expected a trace, or a folder with traces "
                      "in it\n");
  write("mixed/a.json", kCapacity);
  write("mixed/notes.md", "# Notes\n");
  EXPECT_EQ(spotsim("trace inspect " + path("mixed")), 2);
  EXPECT_NE(err_.find("notes.md:1: format: found \"# Notes\""), std::string::npos) << err_;
}

}  // namespace
}  // namespace sim::cli
