// For tests: a scenario's file in a folder with its inputs, and the messages about it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/files/folder_for_test.h"
#include "sim/scenario/messages_for_test.h"
#include "sim/scenario/scenario.h"

namespace sim::scenario {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A folder with a trace of two pools, a day long, and a fleet request.
class ScenarioFile : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "job");
    std::string trace = "az,instance_type,timestamp,price_usd_h\n";
    for (const char* day : {"2019-11-05T00:00:00Z", "2019-11-06T00:00:00Z"}) {
      trace += std::string("us-west-2a,p3.2xlarge,") + day + ",0.95\n";
      trace += std::string("us-west-2b,p3.2xlarge,") + day + ",0.92\n";
    }
    write("trace.csv", trace);
    write("job/fleet.json", fleet("p3.2xlarge", "us-west-2a, us-west-2b"));
    write("job/submit.sh", "spotrun submit --job job.json --fleet fleet.json\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  static std::string fleet(const std::string& type, const std::string& zones) {
    return R"({"LaunchSpecifications": [{"InstanceType": ")" + type +
           R"(", "Placement": {"AvailabilityZone": ")" + zones + R"("}}]})";
  }
  Scenario read(const std::string& text) const { return parse_scenario(text, folder_ / "s.yaml"); }
  // The messages about a text, without the folder.
  std::string errors(const std::string& text) const {
    return messages_of([&] { read(text); }, folder_);
  }
  // The valid scenario with additional lines.
  static std::string good(const std::string& more = "") {
    return "name: t\n"
           "start: 2019-11-05T10:00:00Z\n"
           "limit: 12h\n"
           "market: {prices: [trace.csv]}\n"
           "operator: {files: job, script: 'true'}\n" +
           more;
  }
  static std::string replaced(const std::string& from, const std::string& to) {
    std::string text = good();
    return text.replace(text.find(from), from.size(), to);
  }

  base::FolderForTest folder_;
};

}  // namespace sim::scenario
