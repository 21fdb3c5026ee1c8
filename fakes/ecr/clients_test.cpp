// What published build scripts ask ECR for, over a real socket.
#include "fakes/client_programs_for_test.h"

namespace fakes {
namespace {

struct EcrClients : ClientPrograms {};

TEST_F(EcrClients, ABuildScriptMakesItsRepositoryAndLogsIn) {
  const std::string script = R"(
account=$(aws sts get-caller-identity --query Account --output text)
fullname="$account.dkr.ecr.us-west-2.amazonaws.com/train:latest"
aws ecr describe-repositories --repository-names train >/dev/null 2>&1 ||
  { echo creating; aws ecr create-repository --repository-name train >/dev/null; }
password=$(aws ecr get-login-password --region us-west-2)
test ${#password} -gt 100
echo "$fullname"
aws ecr describe-repositories --query 'repositories[].repositoryUri' --output text
)";
  const std::string uri = "123456789012.dkr.ecr.us-west-2.amazonaws.com/train";
  EXPECT_EQ(run(script), "creating\n" + uri + ":latest\n" + uri + "\n");
  EXPECT_EQ(run(script), uri + ":latest\n" + uri + "\n");
}

}  // namespace
}  // namespace fakes
