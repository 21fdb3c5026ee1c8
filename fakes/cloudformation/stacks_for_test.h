// Tests only: CloudFormation's requests to a simulated region.
#pragma once

#include <string>

#include "fakes/backend_for_test.h"

namespace fakes {

struct TestStacks : TestBackend {
  using TestBackend::TestBackend;

  Answer ask(const std::string& action, const Fields& fields = {}) const {
    std::string body = "Action=" + action + "&Version=2010-05-15";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return send(post(body,
                     "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/cloudformation/"
                     "aws4_request, SignedHeaders=host;x-amz-date, Signature=00"));
  }
  // The stack's status after so long.
  std::string create(const std::string& name, const std::string& text,
                     sim::Duration after = 10min) {
    const Answer answer = ask("CreateStack", {{"StackName", name}, {"TemplateBody", text}});
    if (answer.status() != 200) return answer.at("Error/Message");
    run(after);
    return status(name);
  }
  std::string remove(const std::string& name, sim::Duration after = 20min) {
    const std::string id = described(name, "StackId");
    ask("DeleteStack", {{"StackName", name}});
    run(after);
    return status(id);
  }
  std::string described(const std::string& name, const std::string& member) const {
    return ask("DescribeStacks", {{"StackName", name}})
        .at("DescribeStacksResult/Stacks/member/" + member);
  }
  std::string status(const std::string& name) const { return described(name, "StackStatus"); }
  std::string output(const std::string& name, const std::string& key) const {
    return described(name, "Outputs/member[OutputKey='" + key + "']/OutputValue");
  }
  // The physical ID of a resource.
  std::string physical(const std::string& name, const std::string& logical) const {
    return ask("DescribeStackResource", {{"StackName", name}, {"LogicalResourceId", logical}})
        .at("DescribeStackResourceResult/StackResourceDetail/PhysicalResourceId");
  }
  // The reason of the first failure, from the stack's events.
  std::string failure(const std::string& name) const {
    const auto reasons = ask("DescribeStackEvents", {{"StackName", name}})
                             .all(
                                 "DescribeStackEventsResult/StackEvents/member"
                                 "[contains(ResourceStatus,'_FAILED')]/ResourceStatusReason");
    return reasons.empty() ? "" : reasons.back();
  }
};

}  // namespace fakes
