#include "sim/result/missing_action.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::result {
namespace {

LogBuilder& call(LogBuilder& log, Duration at, const char* service, const char* action,
                 const char* error) {
  return log.add(at, "api.call",
                 {{"service", service}, {"action", action}, {"caller", "i-1"}, {"result", error}});
}

TEST(MissingActions, EachActionOfAMachineIsInTheResultOnce) {
  LogBuilder log;
  log.start();
  call(log, 1s, "ec2", "RunInstances", "ok");
  call(log, 2s, "ssm", "AmazonSSM.SendCommand", "UnknownOperationException");
  call(log, 3s, "ec2", "CreateVpcEndpoint", "InvalidAction");
  call(log, 4s, "ssm", "AmazonSSM.SendCommand", "UnknownOperationException");
  call(log, 5s, "ec2", "CreateVolume", "RequestLimitExceeded");
  const Result result = result_of(log.events());
  ASSERT_EQ(result.missing_actions.size(), 2u);
  EXPECT_EQ(to_json(result)["missing_actions"][0], (Json{{"service", "ssm"},
                                                         {"action", "SendCommand"},
                                                         {"caller", "i-1"},
                                                         {"first_at", "2019-11-05T10:00:02.000Z"},
                                                         {"calls", 2}}));
  EXPECT_EQ(result.missing_actions[1].action, "CreateVpcEndpoint");
}

TEST(MissingActions, TheConsolesLineIsQuoted) {
  const base::FolderForTest folder;
  std::filesystem::create_directory(folder / "console");
  std::ofstream(folder / "console/i-1.log")
      << "begin\nAn error occurred (InvalidAction) when calling the CreateVpcEndpoint operation\n";
  EXPECT_EQ(in_words({.service = "ec2", .action = "CreateVpcEndpoint", .caller = "i-1"}, folder),
            "CreateVpcEndpoint (i-1: console/i-1.log:2: An error occurred (InvalidAction) when "
            "calling the CreateVpcEndpoint operation)");
  EXPECT_EQ(in_words({.service = "ssm", .action = "SendCommand", .caller = "i-1"}, folder),
            "ssm SendCommand (i-1: console/i-1.log)");
}

}  // namespace
}  // namespace sim::result
