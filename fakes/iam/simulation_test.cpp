// The policy simulator.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fakes/authorisation/signing_for_test.h"

namespace fakes::iam {
namespace {

using authorisation::kAdministrator;
using authorisation::TestIam;

TEST(Simulation, NamesTheKeysThatPoliciesNeedAndRequestsLack) {
  TestIam t;
  t.user("ann", R"({"Effect":"Allow","Action":"ec2:*","Resource":"*","Condition":{"StringEquals":{)"
                R"("aws:RequestedRegion":"us-west-2","ec2:InstanceType":"m4.xlarge"}}},)"
                R"({"Effect":"Allow","Action":"s3:*","Resource":"*","Condition":{"StringLike":{)"
                R"("s3:prefix":"home/*"}}})");
  const Fields asked{{"PolicySourceArn", "arn:aws:iam::123456789012:user/ann"},
                     {"ActionNames.member.1", "ec2:RunInstances"},
                     {"ContextEntries.member.1.ContextKeyName", "AWS:RequestedRegion"},
                     {"ContextEntries.member.1.ContextKeyType", "string"},
                     {"ContextEntries.member.1.ContextKeyValues.member.1", "us-west-2"}};
  const Answer answer = t.call(kAdministrator, "iam", "SimulatePrincipalPolicy", asked);
  const std::string result = "SimulatePrincipalPolicyResult/EvaluationResults/member/";
  EXPECT_EQ(answer.at(result + "EvalDecision"), "implicitDeny");
  EXPECT_EQ(answer.all(result + "MissingContextValues/member"),
            std::vector<std::string>{"ec2:InstanceType"});
}

}  // namespace
}  // namespace fakes::iam
