// Damaged requests of FIS's clients.
#include "api/fuzz/fuzz.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "fakes/backend_for_test.h"
#include "fakes/fis/fault_injector.h"

namespace fakes {
namespace {

// Accepts all faults, and does nothing.
struct NoFaults : fis::FaultInjector {
  std::int64_t inject(fis::InjectedFault) override { return ++injected; }
  void end(std::int64_t) override {}
  std::int64_t injected = 0;
};

struct FisSeed {
  const char* method;
  std::string path, body = {};  // TEMPLATE and EXPERIMENT stand for IDs
};
const FisSeed kFisSeeds[] = {
    {"POST", "/experimentTemplates",
     R"({"clientToken":"a","description":"d","roleArn":"arn:aws:iam::123456789012:role/fis",)"
     R"("stopConditions":[{"source":"none"}],"tags":{"a":"b"},"targets":{"them":{"resourceType":)"
     R"~("aws:ec2:spot-instance","selectionMode":"PERCENT(50)","resourceTags":{"a":"b"},)~"
     R"("filters":)"
     R"([{"path":"State.Name","values":["running"]}]}},"actions":{"act":{"actionId":)"
     R"("aws:ec2:send-spot-instance-interruptions","parameters":{"durationBeforeInterruption":)"
     R"("PT2M"},"targets":{"SpotInstances":"them"}}}})"},
    {"POST", "/experimentTemplates",
     R"({"clientToken":"b","description":"d","roleArn":"arn:aws:iam::123456789012:role/fis",)"
     R"("stopConditions":[{"source":"aws:cloudwatch:alarm","value":)"
     R"("arn:aws:cloudwatch:us-west-2:123456789012:alarm:a"}],"targets":{"them":{"resourceType":)"
     R"("aws:iam:role","selectionMode":"ALL","resourceArns":)"
     R"(["arn:aws:iam::123456789012:role/a"]}},)"
     R"("actions":{"act":{"actionId":"aws:fis:inject-api-throttle-error","parameters":)"
     R"({"duration":"PT1M","service":"ec2","percentage":"50","operations":"DescribeVolumes"},)"
     R"("targets":{"Roles":"them"},"startAfter":["one"]},"one":{"actionId":"aws:fis:wait",)"
     R"("parameters":{"duration":"PT1M"}}}})"},
    {"POST", "/experimentTemplates",
     R"({"clientToken":"c","description":"d","roleArn":"arn:aws:iam::123456789012:role/fis",)"
     R"("stopConditions":[{"source":"none"}],"experimentOptions":{"accountTargeting":)"
     R"("single-account","emptyTargetResolutionMode":"skip"},"logConfiguration":)"
     R"({"cloudWatchLogsConfiguration":{"logGroupArn":)"
     R"("arn:aws:logs:us-west-2:123456789012:log-group:g:*"},"logSchemaVersion":2},"targets":)"
     R"({"them":{"resourceType":"aws:ec2:ebs-volume","selectionMode":"ALL","parameters":)"
     R"({"availabilityZoneIdentifier":"us-west-2b"}}},"actions":{"act":{"actionId":)"
     R"("aws:ebs:pause-volume-io","parameters":{"duration":"PT1M"},"targets":)"
     R"({"Volumes":"them"}}}})"},
    {"PATCH", "/experimentTemplates/TEMPLATE",
     R"({"logConfiguration":{"logSchemaVersion":1},"experimentOptions":)"
     R"({"emptyTargetResolutionMode":"fail"}})"},
    {"PATCH", "/experimentTemplates/TEMPLATE",
     R"({"description":"e","actions":{"act":{"actionId":"aws:fis:wait","parameters":)"
     R"({"duration":"PT2M"}}}})"},
    {"GET", "/experimentTemplates/TEMPLATE"},
    {"GET", "/experimentTemplates?maxResults=1&nextToken=a"},
    {"POST", "/experiments",
     R"({"clientToken":"c","experimentTemplateId":"TEMPLATE","tags":{"a":"b"}})"},
    {"GET", "/experiments/EXPERIMENT"},
    {"GET", "/experiments?maxResults=2&experimentTemplateId=TEMPLATE"},
    {"DELETE", "/experiments/EXPERIMENT"},
    {"GET", "/actions?maxResults=3"},
    {"GET", "/actions/aws:ec2:stop-instances"},
    {"GET", "/targetResourceTypes/aws:ec2:subnet"},
    {"POST", "/tags/arn:aws:fis:us-west-2:123456789012:experiment%2FEXPERIMENT",
     R"({"tags":{"k":"v"}})"},
    {"GET", "/tags/arn:aws:fis:us-west-2:123456789012:experiment-template%2FTEMPLATE"}};

std::string with_ids(std::string text, const std::map<std::string, std::string>& ids) {
  for (const auto& [name, id] : ids)
    if (const auto at = text.find(name); at != text.npos) text.replace(at, name.size(), id);
  return text;
}

struct FuzzedFis : TestBackend {
  FuzzedFis() {
    fis::set_fault_injector(backend, [this]() -> fis::FaultInjector& { return faults; });
    const std::string wait =
        R"({"clientToken":"w","description":"d","roleArn":"arn:aws:iam::123456789012:role/fis",)"
        R"("stopConditions":[{"source":"none"}],"actions":{"act":{"actionId":"aws:fis:wait",)"
        R"("parameters":{"duration":"PT5M"}}}})";
    ids["TEMPLATE"] = id_in(ask({"POST", "/experimentTemplates", wait}), "experimentTemplate");
    ids["EXPERIMENT"] =
        id_in(ask({"POST", "/experiments",
                   R"({"clientToken":"x","experimentTemplateId":")" + ids["TEMPLATE"] + "\"}"}),
              "experiment");
  }
  static std::string id_in(const Response& response, const char* what) {
    return nlohmann::json::parse(response.body())[what]["id"];
  }
  Response ask(const FisSeed& asked) const {
    Request request = post(asked.body,
                           "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/fis/"
                           "aws4_request, SignedHeaders=host, Signature=00");
    request.method_string(asked.method);
    request.target(asked.path);
    request.set("Content-Type", "application/json");
    return api(request).response;
  }

  NoFaults faults;
  std::map<std::string, std::string> ids;
};

TEST(FisFuzz, AnswersAnyRequestWithWhatTheServiceHas) {
  const std::set<unsigned> allowed{200, 400, 402, 403, 404, 409, 501};
  std::mt19937 random(9);
  std::unique_ptr<FuzzedFis> t;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % 200 == 0) t = std::make_unique<FuzzedFis>();
    FisSeed asked = kFisSeeds[random() % std::size(kFisSeeds)];
    asked.path = with_ids(asked.path, t->ids);
    asked.body = with_ids(asked.body, t->ids);
    const unsigned what = random() % 4;
    if (what == 0) asked.path = api::damaged(asked.path, random);
    if (what > 1) asked.body = api::damaged(asked.body, random);
    const Response answer = t->ask(asked);
    ASSERT_TRUE(allowed.contains(answer.result_int())) << asked.method << " " << asked.path << "\n"
                                                       << asked.body << "\n"
                                                       << answer.body();
    ++(answer.result_int() < 400 ? done : refused);
    if (round % 10 == 0) t->run(1min);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace
}  // namespace fakes
