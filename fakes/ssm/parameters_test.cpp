// The account's own parameters without a socket, and boto3 against them.
#include "fakes/client_programs_for_test.h"
#include "fakes/json_for_test.h"

namespace fakes {
namespace {

using Json = nlohmann::json;

struct TestParameters : TestJson {
  JsonAnswer ssm(const std::string& action, const Json& body) const {
    return ask(request("ssm", "AmazonSSM." + action, body.dump()));
  }
  JsonAnswer put(const std::string& name, const std::string& value, Json more = {}) const {
    more["Name"] = name;
    more["Value"] = value;
    if (!more.value("Overwrite", false) && !more.contains("Type")) more["Type"] = "String";
    return ssm("PutParameter", more);
  }
  std::string value(const std::string& name, bool decrypted = false) const {
    const Json found =
        ssm("GetParameter", {{"Name", name}, {"WithDecryption", decrypted}}).body["Parameter"];
    return found.is_object() ? found["Value"].get<std::string>() : "";
  }
  // The names in a list, joined.
  std::string names(const std::string& action, const Json& body) const {
    const Json answer = ssm(action, body).body;
    std::string joined;
    for (const Json& shown : answer.at("Parameters"))
      joined += (joined.empty() ? "" : " ") + shown["Name"].get<std::string>();
    return joined;
  }
  std::string described(const Json& filter) const {
    return names("DescribeParameters", {{"ParameterFilters", Json::array({filter})}});
  }
};

TEST(SsmParameters, HaveNoValuesInTheLog) {
  TestParameters t;
  t.put("/key", "secret", {{"Type", "SecureString"}});
  const auto call = std::ranges::find(t.events, "api.call", &sim::Event::kind);
  ASSERT_NE(call, t.events.end());
  EXPECT_EQ(call->fields["request"]["Name"], "/key");
  EXPECT_EQ(call->fields["request"]["Value"], "(6 characters)");
}

TEST(SsmParameters, EachTierHasItsOwnQuota) {
  TestParameters t;
  ssm::ParameterStore& store = t.backend.parameters;
  const auto fill = [&](std::string_view tier, int count) {
    for (int i = 0; i < count; ++i)
      store.put(std::string(tier) + std::to_string(i), {.tier = std::string(tier)});
  };
  fill(ssm::kAdvanced, 10'000);
  EXPECT_EQ(t.put("p", "v").status, 200) << "the advanced ones do not count";
  fill(ssm::kStandard, 9'999);
  EXPECT_EQ(t.put("q", "v").body["__type"], "ParameterLimitExceeded");
  EXPECT_EQ(t.put("p", "w", {{"Overwrite", true}}).status, 200) << "not a new one";
  EXPECT_EQ(t.put("q", "v", {{"Tier", "Advanced"}}).status, 200);
  t.put("p", "w", {{"Overwrite", true}, {"Tier", "Advanced"}});
  EXPECT_EQ(t.put("r", "v").status, 200) << "an upgraded one left room";
  EXPECT_EQ(t.put("s", "v").body["__type"], "ParameterLimitExceeded");
  t.ssm("DeleteParameter", {{"Name", "r"}});
  EXPECT_EQ(t.put("s", "v").status, 200);
}

TEST(SsmParameters, AParameterKeepsItsVersions) {
  const TestParameters t;
  EXPECT_EQ(t.put("/job/image", "ami-1", {{"Description", "of the trainer"}}).body,
            Json({{"Tier", "Standard"}, {"Version", 1}}));
  EXPECT_EQ(t.put("/job/image", "ami-2").error(),
            "ParameterAlreadyExists: The parameter already exists. To overwrite this value, set "
            "the overwrite option in the request to true.");
  EXPECT_EQ(t.put("/job/image", "ami-2", {{"Overwrite", true}}).body["Version"], 2);
  EXPECT_EQ(t.value("/job/image"), "ami-2");
  EXPECT_EQ(t.value("/job/image:1"), "ami-1");
  EXPECT_EQ(t.value("arn:aws:ssm:us-west-2:123456789012:parameter/job/image"), "ami-2");
  EXPECT_EQ(t.ssm("GetParameter", {{"Name", "/job/image:3"}}).error(),
            "ParameterVersionNotFound: Systems Manager could not find version 3 of /job/image. "
            "Verify the version and try again.");
  const Json history = t.ssm("GetParameterHistory", {{"Name", "/job/image"}}).body["Parameters"];
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0]["Value"], "ami-1");
  EXPECT_EQ(history[1]["Description"], "of the trainer") << "kept by the request that overwrote";
  EXPECT_EQ(t.ssm("GetParameterHistory",
                  {{"Name", "arn:aws:ssm:us-west-2:123456789012:parameter/job/image"}})
                .body["Parameters"],
            history);
  EXPECT_EQ(t.ssm("GetParameterHistory", {{"Name", "/job/image:1"}}).body["__type"],
            "ParameterNotFound");
  EXPECT_EQ(history[1]["LastModifiedUser"],
            "arn:aws:sts::123456789012:assumed-role/operator/operator");
}

TEST(SsmParameters, TheOldestOfAHundredVersionsIsDeletedUnlessItHasALabel) {
  const TestParameters t;
  t.put("p", "1");
  for (int version = 2; version <= 101; ++version)
    t.put("p", std::to_string(version), {{"Overwrite", true}});
  EXPECT_EQ(t.value("p:1"), "");
  EXPECT_EQ(t.value("p:2"), "2");
  t.ssm("LabelParameterVersion", {{"Name", "p"}, {"ParameterVersion", 2}, {"Labels", {"good"}}});
  EXPECT_EQ(t.put("p", "102", {{"Overwrite", true}}).body["__type"],
            "ParameterMaxVersionLimitExceeded");
  const Json page = t.ssm("GetParameterHistory", {{"Name", "p"}}).body;
  EXPECT_EQ(page["Parameters"].size(), 50U);
  const Json next =
      t.ssm("GetParameterHistory", {{"Name", "p"}, {"NextToken", page["NextToken"]}}).body;
  EXPECT_EQ(next["Parameters"].back()["Version"], 101);
  EXPECT_FALSE(next.contains("NextToken"));
}

TEST(SsmParameters, ALabelIsAtOneVersion) {
  const TestParameters t;
  t.put("p", "1");
  t.put("p", "2", {{"Overwrite", true}});
  const auto label = [&](int version, const Json& labels) {
    return t.ssm("LabelParameterVersion",
                 {{"Name", "p"}, {"ParameterVersion", version}, {"Labels", labels}});
  };
  EXPECT_EQ(label(1, {"prod", "9lives", "awsome"}).body,
            Json({{"InvalidLabels", {"9lives", "awsome"}}, {"ParameterVersion", 1}}));
  EXPECT_EQ(t.value("p:prod"), "1");
  label(2, {"prod"});
  EXPECT_EQ(t.value("p:prod"), "2");
  EXPECT_EQ(label(2, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}).body["__type"],
            "ParameterVersionLabelLimitExceeded");
  EXPECT_EQ(label(7, {"prod"}).body["__type"], "ParameterVersionNotFound");
  EXPECT_EQ(t.ssm("UnlabelParameterVersion",
                  {{"Name", "p"}, {"ParameterVersion", 2}, {"Labels", {"prod", "none"}}})
                .body,
            Json({{"InvalidLabels", {"none"}}, {"RemovedLabels", {"prod"}}}));
}

TEST(SsmParameters, NamesAndValuesHaveAwsRules) {
  const TestParameters t;
  const auto refused = [&](const std::string& name) { return t.put(name, "v").error(); };
  EXPECT_EQ(refused("AWSome"),
            "ValidationException: Parameter name: can't be prefixed with \"aws\" or \"ssm\" "
            "(case-insensitive).");
  EXPECT_EQ(refused("/aws/x"),
            "AccessDeniedException: No access to reserved parameter name: /aws/x.");
  EXPECT_EQ(refused("a b").substr(0, 58),
            "ValidationException: Parameter name: can't be prefixed wit");
  EXPECT_EQ(refused("a/b"), "ValidationException: Parameter name must be a fully qualified name.");
  EXPECT_EQ(refused("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16").substr(0, 37),
            "HierarchyLevelLimitExceededException:");
  EXPECT_EQ(t.put("p", std::string(4097, 'v')).body["__type"], "ValidationException");
  EXPECT_EQ(t.put("p", "v", {{"DataType", "number"}}).body["__type"], "ValidationException");
  EXPECT_EQ(t.put("p", "v", {{"AllowedPattern", "["}}).body["__type"],
            "InvalidAllowedPatternException");
  EXPECT_EQ(t.put("p", "v", {{"AllowedPattern", "\\d+"}}).error(),
            "ParameterPatternMismatchException: Parameter value, cannot be validated against "
            "allowedPattern: \\d+");
  EXPECT_EQ(t.put("p", "17", {{"AllowedPattern", "\\d+"}}).status, 200);
  EXPECT_EQ(t.put("p", "v", {{"Overwrite", true}}).body["__type"],
            "ParameterPatternMismatchException")
      << "the pattern stays";
  EXPECT_EQ(t.ssm("PutParameter", {{"Name", "q"}, {"Value", "v"}}).error(),
            "ValidationException: A parameter type is required when you create a parameter.");
}

TEST(SsmParameters, AStringDoesNotBecomeASecret) {
  const TestParameters t;
  const auto change = [&](const std::string& name, const char* type) {
    return t.put(name, "v", {{"Overwrite", true}, {"Type", type}}).body.value("__type", "");
  };
  t.put("p", "v");
  EXPECT_EQ(change("p", "SecureString"), "HierarchyTypeMismatchException");
  EXPECT_EQ(change("p", "String"), "");
  t.put("q", "v", {{"Type", "SecureString"}});
  EXPECT_EQ(change("q", "SecureString"), "");
  EXPECT_EQ(change("q", "String"), "");
}

TEST(SsmParameters, PathsAndFiltersSelect) {
  const TestParameters t;
  for (const char* name : {"/job/a", "/job/b", "/job/b/c", "job", "/jobs"}) t.put(name, name);
  t.put("/job/key", "secret", {{"Type", "SecureString"}});
  const auto path = [&](const Json& body) { return t.names("GetParametersByPath", body); };
  EXPECT_EQ(path({{"Path", "/job"}}), "/job/a /job/b /job/key");
  EXPECT_EQ(path({{"Path", "/job/"}, {"Recursive", true}}), "/job/a /job/b /job/b/c /job/key");
  EXPECT_EQ(path({{"Path", "/"}}), "/jobs job");
  EXPECT_EQ(path({{"Path", "/job"},
                  {"ParameterFilters", {{{"Key", "Type"}, {"Values", {"SecureString"}}}}}}),
            "/job/key");
  EXPECT_EQ(t.described({{"Key", "Name"}, {"Option", "Contains"}, {"Values", {"/b"}}}),
            "/job/b /job/b/c");
  EXPECT_EQ(t.described({{"Key", "Path"}, {"Option", "Recursive"}, {"Values", {"/job/b"}}}),
            "/job/b/c");
  EXPECT_EQ(t.described({{"Key", "KeyId"}, {"Option", "BeginsWith"}, {"Values", {"alias/"}}}),
            "/job/key");
  EXPECT_EQ(
      t.names("DescribeParameters", {{"Filters", {{{"Key", "Name"}, {"Values", {"/jobs"}}}}}}),
      "/jobs");
  const auto refused = [&](const Json& filter) {
    return t.ssm("DescribeParameters", {{"ParameterFilters", Json::array({filter})}}).error();
  };
  EXPECT_EQ(refused({{"Key", "Label"}, {"Values", {"x"}}}),
            "InvalidFilterKey: The following filter key is not valid: Label. Valid filter keys "
            "include: [Path, Name, Type, KeyId, Tier].");
  EXPECT_EQ(refused({{"Key", "Type"}, {"Values", {"Text"}}}),
            "InvalidFilterValue: The following filter value is not valid: Text. Valid values "
            "include: [String, StringList, SecureString].");
  EXPECT_EQ(refused({{"Key", "Path"}, {"Option", "Equals"}, {"Values", {"/x"}}}),
            "InvalidFilterOption: The following filter option is not valid: Equals. Valid options "
            "include: [Recursive, OneLevel].");
}

TEST(SsmParameters, TagsAreOfTheParameterAndGoWithIt) {
  const TestParameters t;
  t.put("p", "v", {{"Tags", {{{"Key", "team"}, {"Value", "ml"}}}}});
  EXPECT_EQ(t.described({{"Key", "tag:team"}, {"Values", {"ml"}}}), "p");
  EXPECT_EQ(t.put("p", "v", {{"Overwrite", true}, {"Tags", {{{"Key", "a"}, {"Value", "b"}}}}})
                .body["__type"],
            "ValidationException");
  Json many = Json::array();
  for (int i = 0; i < 51; ++i) many.push_back({{"Key", std::to_string(i)}, {"Value", "v"}});
  EXPECT_EQ(t.put("many", "v", {{"Tags", many}}).body["__type"], "TooManyTagsError");
  EXPECT_EQ(t.value("many"), "") << "not stored either";
  const Json of_p = {{"ResourceType", "Parameter"}, {"ResourceId", "p"}};
  Json more = of_p;
  more["Tags"] = {{{"Key", "a"}, {"Value", "b"}}};
  t.ssm("AddTagsToResource", more);
  EXPECT_EQ(t.ssm("ListTagsForResource", of_p).body["TagList"].size(), 2U);
  more["TagKeys"] = {"team"};
  more.erase("Tags");
  t.ssm("RemoveTagsFromResource", more);
  EXPECT_EQ(t.ssm("ListTagsForResource", of_p).body["TagList"],
            Json::array({{{"Key", "a"}, {"Value", "b"}}}));
  EXPECT_EQ(t.ssm("DeleteParameters", {{"Names", {"p", "q"}}}).body,
            Json({{"DeletedParameters", {"p"}}, {"InvalidParameters", {"q"}}}));
  EXPECT_EQ(t.ssm("ListTagsForResource", of_p).body["__type"], "InvalidResourceId");
  EXPECT_EQ(t.ssm("DeleteParameter", {{"Name", "p"}}).body["__type"], "ParameterNotFound");
}

TEST(SsmParameters, AnImageOfTheAccountIsLaunchedByItsParameter) {
  const TestParameters t;
  const Json image = {{"DataType", "aws:ec2:image"}, {"Overwrite", true}, {"Type", "String"}};
  t.put("/golden-ami", "ami-0123456789abcdef0", image);
  t.put("/golden-ami", "no image", image);
  EXPECT_EQ(t.value("/golden-ami"), "ami-0123456789abcdef0") << "checked after the response";
  EXPECT_EQ(t.ec2("RunInstances", {{"ImageId", "resolve:ssm:/golden-ami"},
                                   {"InstanceType", "m4.xlarge"},
                                   {"MinCount", "1"},
                                   {"MaxCount", "1"}})
                .at("instancesSet/item/imageId"),
            "ami-0123456789abcdef0");
}

using SsmParameterClients = ClientPrograms;

TEST_F(SsmParameterClients, Boto3WritesReadsAndPages) {
  python(R"(
import os, boto3
ssm = boto3.client("ssm", endpoint_url=os.environ["ENDPOINT"])
for i in range(25):
    ssm.put_parameter(Name=f"/run/{i:02}", Value=str(i), Type="String")
pages = ssm.get_paginator("describe_parameters").paginate(
    ParameterFilters=[{"Key": "Path", "Values": ["/run"]}])
names = [p["Name"] for page in pages for p in page["Parameters"]]
assert names == [f"/run/{i:02}" for i in range(25)], names
ssm.put_parameter(Name="/run/key", Value="secret", Type="SecureString")
shown = ssm.get_parameter(Name="/run/key")["Parameter"]["Value"]
assert "secret" not in shown
assert ssm.get_parameter(Name="/run/key", WithDecryption=True)["Parameter"]["Value"] == "secret"
pages = ssm.get_paginator("get_parameters_by_path").paginate(Path="/run")
assert len([p for page in pages for p in page["Parameters"]]) == 26
)");
}

}  // namespace
}  // namespace fakes
