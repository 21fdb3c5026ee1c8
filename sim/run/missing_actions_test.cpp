#include "sim/run/missing_actions.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/events/read.h"

namespace sim::run {
namespace {

Event call(const char* service, const char* action, const char* result) {
  return {{},
          "api.call",
          {{"service", service}, {"action", action}, {"caller", "i-1"}, {"result", result}}};
}

TEST(MissingActions, EachActionOfAMachineIsNamedOnce) {
  events::Listeners log;
  MissingActions missing;
  missing.listen(log);
  for (const Event& event :
       {call("ec2", "RunInstances", "ok"), call("ssm", "SendCommand", "UnknownOperationException"),
        call("ec2", "CreateVpcEndpoint", "InvalidAction"),
        call("ssm", "SendCommand", "UnknownOperationException"),
        call("ec2", "CreateVolume", "RequestLimitExceeded")})
    events::tell(log, event);
  EXPECT_EQ(missing.all(), (std::vector<MissingAction>{{"ssm", "SendCommand", "i-1"},
                                                       {"ec2", "CreateVpcEndpoint", "i-1"}}));
}

TEST(MissingActions, TheConsolesLineIsQuoted) {
  const base::FolderForTest folder;
  std::filesystem::create_directory(folder / "console");
  std::ofstream(folder / "console/i-1.log")
      << "begin\nAn error occurred (InvalidAction) when calling the CreateVpcEndpoint operation\n";
  EXPECT_EQ(in_words({"ec2", "CreateVpcEndpoint", "i-1"}, folder),
            "CreateVpcEndpoint (i-1: console/i-1.log:2: An error occurred (InvalidAction) when "
            "calling the CreateVpcEndpoint operation)");
  EXPECT_EQ(in_words({"ssm", "AmazonSSM.SendCommand", "i-1"}, folder),
            "ssm SendCommand (i-1: console/i-1.log)");
}

}  // namespace
}  // namespace sim::run
