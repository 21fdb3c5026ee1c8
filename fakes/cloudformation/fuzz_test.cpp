// Damaged requests and templates of CloudFormation.
#include "api/fuzz/fuzz.h"

#include <memory>
#include <random>

#include "fakes/cloudformation/stacks_for_test.h"

namespace fakes {
namespace {

constexpr const char* kTemplates[] = {
    R"({"Parameters":{"P":{"Type":"String","Default":"a","AllowedPattern":"[a-z]+"}},"Mappings":{
"M":{"a":{"k":"v"}}},"Conditions":{"C":{"Fn::Equals":[{"Ref":"P"},"a"]}},"Resources":{"V":{"Type":
"AWS::EC2::Volume","Condition":"C","Properties":{"AvailabilityZone":{"Fn::Select":[0,{"Fn::GetAZs":
""}]},"Size":{"Fn::If":["C",1,2]}}},"L":{"Type":"AWS::Logs::LogGroup","Properties":{"LogGroupName":{
"Fn::Join":["-",["a",{"Fn::FindInMap":["M",{"Ref":"P"},"k"]}]]}}}},"Outputs":{"O":{"Value":{
"Fn::GetAtt":["L","Arn"]},"Export":{"Name":"e"}}}})",
    R"(Resources:
  B: {Type: AWS::S3::Bucket, DeletionPolicy: Retain}
  I:
    Type: AWS::EC2::Instance
    DependsOn: [B]
    Properties:
      ImageId: ami-0123456789abcdef0
      InstanceType: m4.xlarge
      UserData: !Base64
        Fn::Sub: ["echo ${X} ${AWS::Region} ${!y}", {X: !Split [",", "a,b"]}]
      Tags: [{Key: Name, Value: !Sub "${B}-x"}]
Outputs:
  O: {Value: !Join [",", [!Ref I, !GetAtt I.PrivateIp]]}
)"};

std::vector<std::string> seeds() {
  const std::string begin = "Version=2010-05-15&Action=";
  std::vector<std::string> all;
  for (const char* text : kTemplates)
    for (const char* action : {"CreateStack&StackName=s", "UpdateStack&StackName=s",
                               "ValidateTemplate", "CreateChangeSet&StackName=s&ChangeSetName=c"})
      all.push_back(begin + action + "&TemplateBody=" + url_encode(text));
  for (const char* request :
       {"DescribeStacks", "DescribeStackEvents&StackName=s", "ListStackResources&StackName=s",
        "DeleteStack&StackName=s&RetainResources.member.1=B", "ListExports",
        "GetTemplate&StackName=s", "ExecuteChangeSet&StackName=s&ChangeSetName=c",
        "SignalResource&StackName=s&LogicalResourceId=I&UniqueId=i&Status=SUCCESS",
        "DescribeChangeSet&StackName=s&ChangeSetName=c"})
    all.push_back(begin + request);
  return all;
}

// A template is damaged before it is encoded, so that most damage reaches the template.
std::string fuzzed_body(std::mt19937& random, const std::vector<std::string>& all) {
  if (random() % 2 == 0) return api::damaged(all[random() % all.size()], random);
  const char* const action = random() % 2 == 0 ? "CreateStack" : "UpdateStack";
  std::string body = std::string("Version=2010-05-15&StackName=s&Action=") + action +
                     "&TemplateBody=" + url_encode(api::damaged(kTemplates[random() % 2], random));
  return body;
}

TEST(CloudFormationFuzz, AnswersAnyTemplateAndRequest) {
  std::mt19937 random(11);
  const auto all = seeds();
  std::unique_ptr<TestStacks> t;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds() / 4; ++round) {
    if (round % 200 == 0) t = std::make_unique<TestStacks>();
    const std::string body = fuzzed_body(random, all);
    const Answer answer = t->send(TestBackend::post(
        body,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/cloudformation/"
        "aws4_request, SignedHeaders=host;x-amz-date, Signature=00"));
    ASSERT_LT(answer.status(), 500) << body << "\n" << answer.body();
    ASSERT_TRUE(answer.xml.document_element()) << body << "\n" << answer.body();
    ++(answer.status() == 200 ? done : refused);
    if (round % 10 == 0) t->run(3min);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 100);
  EXPECT_GT(refused, api::fuzz_rounds() / 40);
}

}  // namespace
}  // namespace fakes
