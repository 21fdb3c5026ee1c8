// The vendor's API: tokens, envelopes, groups and stateful instances.
#include "fakes/spotinst/spotinst_for_test.h"

namespace fakes::spotinst {
namespace {

namespace http = boost::beast::http;

TEST(Spotinst, WantsABearerToken) {
  TestSpotinst t;
  for (const char* header :
       {static_cast<const char*>(nullptr), "", "Bearer", "Bearer ", "Basic x"}) {
    const auto answer = t.ask(TestSpotinst::request(http::verb::get, "/aws/ec2/group", "", header));
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(answer.body.at("response").at("status").at("message"), "Unauthorized");
    EXPECT_EQ(answer.code(), "UNAUTHORIZED");
  }
  EXPECT_EQ(t.get("/aws/ec2/group").status, 200);
}

TEST(Spotinst, AnswersInTheVendorsEnvelope) {
  TestSpotinst t;
  const auto answer = t.post(TestSpotinst::body());
  EXPECT_EQ(answer.status, 200);
  const Json& request = answer.body.at("request");
  EXPECT_EQ(request.at("url"), TestSpotinst::kGroups);
  EXPECT_EQ(request.at("method"), "POST");
  EXPECT_EQ(request.at("timestamp"), "2019-11-05T10:00:00.000Z");
  const Json& response = answer.body.at("response");
  EXPECT_EQ(response.at("status"), Json::parse(R"({"code":200,"message":"OK"})"));
  EXPECT_EQ(response.at("kind"), "spotinst:aws:ec2:group");
  EXPECT_EQ(response.at("count"), 1);
  const Json& group = answer.item();
  EXPECT_TRUE(group.at("id").get<std::string>().starts_with("sig-"));
  EXPECT_EQ(group.at("compute"), TestSpotinst::body().at("group").at("compute"));
  EXPECT_EQ(group.at("createdAt"), "2019-11-05T10:00:00.000Z");
}

TEST(Spotinst, AGroupsInstanceIsLaunchedAsItWasAskedFor) {
  TestSpotinst t;
  const std::string id = t.group();
  const Json instance = t.get(TestSpotinst::path(id, "/status")).item();
  EXPECT_EQ(instance.at("status"), "fulfilled");
  EXPECT_EQ(instance.at("groupId"), id);
  const auto& launched = t.cloud.instance({instance.at("instanceId").get<std::string>()});
  EXPECT_EQ(launched.spec.user_data, "echo hi");
  EXPECT_EQ(launched.spec.iam_instance_profile, "role");
  EXPECT_EQ(launched.spec.key_name, "key");
  EXPECT_EQ(launched.spec.security_group_ids, std::vector<std::string>{"sg-0a"});
  EXPECT_EQ(launched.tags.at("Creator"), "me");
  const Json stateful = t.get(TestSpotinst::path(id, "/statefulInstance")).item();
  EXPECT_EQ(stateful.at("state"), "ACTIVE");
  EXPECT_EQ(stateful.at("devices").at(0).at("deviceName"), "/dev/sdf");
}

struct Bad {
  const char* pointer;  // below "group"
  const char* value;
  const char* field;
};

TEST(Spotinst, RefusesWhatItDoesNotHaveByNameAndPath) {
  const Bad bad[] = {
      {"/colour", "\"red\"", "group.colour"},
      {"/strategy/persistence/shouldPersistEverything", "true",
       "group.strategy.persistence.shouldPersistEverything"},
      {"/strategy/persistence/blockDevicesMode", "\"onlaunch\"",
       "group.strategy.persistence.blockDevicesMode"},
      {"/strategy/risk", "101", "group.strategy.risk"},
      {"/strategy/risk", "\"100\"", "group.strategy.risk"},
      {"/strategy/signals", "[{\"name\":\"INSTANCE_READY\"}]", "group.strategy.signals"},
      {"/compute/preferredAvailabilityZones", "[\"us-west-2c\"]",
       "group.compute.preferredAvailabilityZones"},
      {"/capacity/target", "2", "group.capacity.target"},
      {"/capacity/unit", "\"weight\"", "group.capacity.unit"},
      {"/region", "\"us-east-1\"", "group.region"},
      {"/compute/product", "\"Windows\"", "group.compute.product"},
      {"/compute/instanceTypes/spot", "[\"p9.huge\"]", "group.compute.instanceTypes.spot"},
      {"/compute/availabilityZones/0/name", "\"us-west-2z\"",
       "group.compute.availabilityZones.0.name"},
      {"/compute/launchSpecification/userData", "\"*\"",
       "group.compute.launchSpecification.userData"},
      {"/compute/launchSpecification/blockDeviceMappings/0/ebs/size", "1",
       "group.compute.launchSpecification.blockDeviceMappings.0.ebs.size"},
  };
  TestSpotinst t;
  for (const Bad& one : bad) {
    Json body = TestSpotinst::body();
    body["group"][Json::json_pointer(one.pointer)] = Json::parse(one.value);
    const auto answer = t.post(body);
    EXPECT_EQ(answer.status, 400) << one.pointer;
    EXPECT_EQ(answer.code(), "ValidationError") << one.pointer;
    EXPECT_EQ(answer.field(), one.field);
  }
  EXPECT_TRUE(t.get("/aws/ec2/group").body.at("response").at("items").empty());
}

TEST(Spotinst, EmptyMembersMayBePresent) {
  TestSpotinst t;
  Json body = TestSpotinst::body();
  body["group"]["scaling"] = Json::parse(R"({"up":[],"down":[]})");
  body["group"]["scheduling"] = Json::parse(R"({"tasks":null})");
  body["group"]["thirdPartiesIntegration"] = Json::object();
  body["group"]["description"] = Json();
  body["group"]["compute"]["elasticIps"] = Json();
  body["group"]["compute"]["launchSpecification"]["networkInterfaces"] = Json::parse(
      R"([{"deviceIndex":0,"associatePublicIpAddress":true,"networkInterfaceId":null}])");
  EXPECT_EQ(t.post(body).status, 200);
}

TEST(Spotinst, APutChangesWhatItNamesAndNoMore) {
  TestSpotinst t;
  const std::string id = t.group();
  auto answer = t.put(TestSpotinst::path(id, "/capacity"),
                      Json::parse(R"({"capacity":{"target":2,"maximum":3}})"));
  EXPECT_EQ(answer.body.at("response").at("kind"), "spotinst:aws:ec2:group:capacity");
  EXPECT_EQ(answer.item().at("target"), 2);
  answer = t.put(TestSpotinst::path(id), Json::parse(R"({"group":{"name":"other"}})"));
  EXPECT_EQ(answer.item().at("name"), "other");
  EXPECT_EQ(answer.item().at("capacity").at("target"), 2);
  EXPECT_EQ(t.put(TestSpotinst::path(id), Json::parse(R"({"group":{"nome":"x"}})")).field(),
            "group.nome");
  t.run(2min);
  EXPECT_EQ(t.get(TestSpotinst::path(id, "/status")).body.at("response").at("count"), 2);
}

TEST(Spotinst, StatefulActionsGoThroughTheVendorsStates) {
  TestSpotinst t;
  const std::string id = t.group();
  const std::string list = TestSpotinst::path(id, "/statefulInstance");
  const std::string one = list + "/" + t.get(list).item().at("id").get<std::string>();
  EXPECT_EQ(t.put(one + "/pause").status, 200);
  t.run(5min);
  EXPECT_EQ(t.get(list).item().at("state"), "PAUSED");
  EXPECT_EQ(t.get(list).item().at("instanceId"), Json());
  EXPECT_EQ(t.put(one + "/pause").code(), "INVALID_STATEFUL_STATE");
  EXPECT_EQ(t.put(one + "/resume").status, 200);
  t.run(5min);
  EXPECT_EQ(t.put(one + "/recycle").status, 200);
  t.run(5min);
  EXPECT_EQ(t.get(list).item().at("state"), "ACTIVE");
  EXPECT_EQ(t.put(one + "/deallocate").status, 200);
  t.run(5min);
  EXPECT_TRUE(t.get(list).body.at("response").at("items").empty());
}

TEST(Spotinst, ADeletedGroupDoesNotExist) {
  TestSpotinst t;
  const std::string id = t.group();
  const auto refused = t.ask(TestSpotinst::request(http::verb::delete_, TestSpotinst::path(id),
                                                   R"({"statefulDeallocation":{"all":true}})"));
  EXPECT_EQ(refused.field(), "statefulDeallocation.all");
  EXPECT_EQ(t.ask(TestSpotinst::request(http::verb::delete_, TestSpotinst::path(id), "")).status,
            200);
  const auto answer = t.get(TestSpotinst::path(id));
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.code(), "GROUP_DOESNT_EXIST");
}

TEST(Spotinst, LogsAndEventsReportWhatHappened) {
  TestSpotinst t;
  const std::string id = t.group();
  const auto logs = t.get(TestSpotinst::path(id, "/logs?fromDate=0&toDate=1999999999999&limit=2"));
  EXPECT_EQ(logs.body.at("response").at("count"), 2);
  EXPECT_EQ(logs.item().at("severity"), "INFO");
  EXPECT_EQ(t.get(TestSpotinst::path(id, "/logs?fromDate=x&toDate=1")).field(), "fromDate");
  const auto events = t.get(TestSpotinst::path(id, "/events?startDate=2019-11-05"));
  EXPECT_EQ(events.item(0).at("eventType"), "Create");
  EXPECT_EQ(events.item(1).at("subEvents").at(0).at("type"), "scaleUp");
}

TEST(Spotinst, UnknownPathsAndParametersAreRefused) {
  TestSpotinst t;
  EXPECT_EQ(t.get("/aws/ec2/elastigroup").status, 404);
  EXPECT_EQ(t.get("/aws/ec2/group?page=2").field(), "page");
  EXPECT_EQ(t.get("/aws/ec2/group?accountId=12345678").field(), "accountId");
}

}  // namespace
}  // namespace fakes::spotinst
