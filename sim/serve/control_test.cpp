#include "sim/serve/control.h"

#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

TEST(Control, ReportsTheTimeAndTheNextEvent) {
  Tested t("manual");
  t.launch();
  const Json clock = Json::parse(t.ask("GET", "/_spotsim/clock").body());
  EXPECT_EQ(clock["now"], "2019-11-05T10:00:00.000000000Z");
  EXPECT_EQ(clock["start"], "2019-11-05T10:00:00.000000000Z");
  EXPECT_EQ(t.post("clock", {{"next", true}})["now"], clock["next_event"]);
}

TEST(Control, Advances) {
  Tested t("manual");
  EXPECT_EQ(t.post("clock", {{"by", "90s"}})["now"], "2019-11-05T10:01:30.000000000Z");
  EXPECT_EQ(t.post("clock", {{"to", "2019-11-05T12:00:00Z"}})["now"],
            "2019-11-05T12:00:00.000000000Z");
}

TEST(Control, OnTheWallClockAdvancesToo) {
  Tested t("1x");
  t.post("clock", {{"by", "1h"}});
  t.real += 5s;
  t.testbed->keep_up(t.real);
  EXPECT_EQ(t.testbed->served().now(), kBegin + 1h + 5s);
}

TEST(Control, RefusesImpossibleTimes) {
  Tested t("manual");
  t.post("clock", {{"by", "1h"}});
  EXPECT_EQ(t.refused("clock", R"({"to": "2019-11-05T10:30:00Z"})", 409),
            "to: found 2019-11-05T10:30:00.000000000Z, expected no time before now, "
            "2019-11-05T11:00:00.000000000Z");
  EXPECT_EQ(t.refused("clock", R"({"to": "2099-01-01T00:00:00Z"})"),
            "to: found more than 366 days ahead, expected at most that in one call");
  EXPECT_EQ(t.refused("clock", R"({"by": "-5s"})"),
            "by: found -5s, expected a duration such as 90s");
  EXPECT_EQ(t.refused("clock", R"({"by": "5s", "next": true})"),
            "body: found 2 of to, by and next, expected one");
  EXPECT_EQ(t.refused("clock", R"({"by": 5})"), "by: found 5, expected a duration such as 90s");
  EXPECT_EQ(t.refused("clock", "{"),
            "body: found invalid or deeply nested JSON, expected a JSON object");
  t.refused("clock", R"({"by": )" + std::string(500'000, '['));
  t.refused("clock", R"({"by": )" + std::string(400'000, '[') + std::string(400'000, ']') + "}");
  EXPECT_EQ(t.refused("clock", "[]"), "body: found [], expected a JSON object");
  EXPECT_EQ(t.refused("clock", R"({"by": "5s", "quick": 1})"),
            "quick: found 1, expected no other fields than by");
  EXPECT_EQ(t.testbed->served().now(), kBegin + 1h);
}

// The metadata of an instance shows the strike.
struct Struck : Tested {
  Struck() : Tested("manual"), id(launch(true)) { post("clock", {{"by", "2m"}}); }
  unsigned metadata(const std::string& path) {
    return ask("GET", "/_spotsim/imds/" + id + "/latest/meta-data/" + path).result_int();
  }
  std::string id;
};

TEST(Control, InterruptsWithANotice) {
  Struck t;
  EXPECT_EQ(t.metadata("spot/instance-action"), 404u);
  const Json struck = t.post("interrupt", {{"instance", t.id}, {"how", "notice"}});
  EXPECT_EQ(struck["now"], "2019-11-05T10:02:00.000000000Z");
  EXPECT_EQ(struck["interrupted"], Json::array({t.id}));
  EXPECT_EQ(struck["instances"][0]["notice_at"], struck["now"]);
  EXPECT_EQ(struck["instances"][0]["taken_at"], "2019-11-05T10:04:00.000000000Z");
  EXPECT_EQ(t.metadata("spot/instance-action"), 200u);
  EXPECT_EQ(t.state_of(t.id), "running");
  EXPECT_EQ(t.refused("interrupt", R"({"instance": ")" + t.id + R"(", "how": "notice"})", 409),
            "how: found notice, which " + t.id + " already has, expected it once");
  t.post("clock", {{"by", "2m"}});
  EXPECT_EQ(t.state_of(t.id), "shutting-down");
  EXPECT_EQ(t.refused("interrupt", R"({"instance": ")" + t.id + R"(", "how": "hard"})", 409),
            "instance: found " + t.id + ", which is shutting-down, expected a running one");
}

TEST(Control, InterruptsHardAndRecommendsARebalance) {
  Struck t;
  const Json told = t.post("interrupt", {{"instance", t.id}, {"how", "rebalance"}});
  EXPECT_EQ(told["instances"][0]["rebalance_at"], told["now"]);
  EXPECT_EQ(told["instances"][0]["taken_at"], nullptr);
  EXPECT_EQ(t.metadata("events/recommendations/rebalance"), 200u);
  EXPECT_EQ(t.state_of(t.id), "running");
  const Json taken =
      t.post("interrupt", {{"instance", t.id}, {"how", "hard"}, {"reason", "by-price"}});
  EXPECT_EQ(taken["instances"][0]["taken_at"], taken["now"]);
  EXPECT_EQ(taken["instances"][0]["notice_at"], nullptr);
  EXPECT_EQ(t.state_of(t.id), "shutting-down");
  EXPECT_NE(t.ec2("DescribeSpotInstanceRequests").find("instance-terminated-by-price"),
            std::string::npos);
}

TEST(Control, RefusesImpossibleInterruptions) {
  Struck t;
  EXPECT_EQ(t.refused("interrupt", R"({"instance": "i-0", "how": "hard"})", 404),
            "instance: found no instance i-0, expected one that there is");
  const std::string own = t.launch();
  EXPECT_EQ(t.refused("interrupt", R"({"instance": ")" + own + R"(", "how": "hard"})", 409),
            "instance: found " + own + ", which is on demand, expected a spot one");
  EXPECT_EQ(t.refused("interrupt", R"({"instance": ")" + t.id + R"(", "how": "softly"})"),
            "how: found \"softly\", expected one of notice, rebalance, hard");
  EXPECT_EQ(t.refused("interrupt", R"({"how": "hard"})"),
            "instance: found nothing, expected an instance's ID");
}

TEST(Control, DrainsTheNewestInstancesOfAPool) {
  Struck t;
  const std::string second = t.launch(true);
  t.post("clock", {{"by", "2m"}});
  const Json pool = "p3.2xlarge/us-west-2b";
  EXPECT_EQ(t.post("drain", {{"pool", pool}, {"slots", 1}})["interrupted"], Json::array({second}));
  EXPECT_NE(t.ec2("RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1"
                  "&InstanceType=p3.2xlarge&Placement.AvailabilityZone=us-west-2b"
                  "&InstanceMarketOptions.MarketType=spot")
                .find("InsufficientInstanceCapacity"),
            std::string::npos);
  EXPECT_EQ(t.post("drain", {{"pool", pool}, {"how", "hard"}})["interrupted"], Json::array({t.id}));
  EXPECT_EQ(t.state_of(t.id), "shutting-down");
  EXPECT_EQ(t.state_of(second), "running");  // its notice has not elapsed
  EXPECT_EQ(t.refused("drain", R"({"pool": "p3.2xlarge/us-west-9z"})", 404),
            "pool: found p3.2xlarge/us-west-9z, expected one of the 12 that have prices (of this "
            "type us-west-2a, us-west-2b, us-west-2c, us-west-2d)");
  EXPECT_EQ(t.refused("drain", R"({"pool": "p3.2xlarge/us-west-2b", "slots": -1})"),
            "slots: found -1, expected a whole number from 0 to 1000000");
}

TEST(Control, LimitsOnDemandCapacity) {
  Tested t("manual");
  const Json pool = "p3.2xlarge/us-west-2b";
  EXPECT_EQ(t.post("on-demand", {{"pool", pool}, {"slots", 0}})["slots"], 0);
  const std::string call =
      "RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1"
      "&InstanceType=p3.2xlarge&Placement.AvailabilityZone=us-west-2b";
  EXPECT_NE(t.ec2(call).find("<Code>InsufficientInstanceCapacity</Code>"), std::string::npos);
  EXPECT_NE(t.launch(true), "") << "spot has its own capacity";
  EXPECT_EQ(t.post("on-demand", {{"pool", pool}})["slots"], nullptr);
  EXPECT_NE(t.launch(), "");
  EXPECT_EQ(t.refused("on-demand", R"({"pool": "p3.2xlarg/us-west-2b", "slots": 0})", 404)
                .find("pool: found p3.2xlarg/us-west-2b, expected an instance type"),
            0u);
}

TEST(Control, SetsQuotas) {
  Tested t("manual");
  EXPECT_EQ(t.post("quotas", {{"spot_requests", 1}, {"on_demand_vcpus", 8}}),
            (Json{{"spot_vcpus", nullptr}, {"spot_requests", 1}, {"on_demand_vcpus", 8}}));
  const std::string call =
      "RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1&InstanceType=p3.2xlarge";
  EXPECT_NE(t.launch(), "");
  EXPECT_NE(t.ec2(call).find("<Code>VcpuLimitExceeded</Code>"), std::string::npos);
  EXPECT_NE(t.launch(true), "");
  EXPECT_NE(t.ec2(call + "&InstanceMarketOptions.MarketType=spot")
                .find("<Code>MaxSpotInstanceCountExceeded</Code><Message>Max spot instance count "
                      "exceeded</Message>"),
            std::string::npos);
  EXPECT_EQ(t.post("quotas", {{"spot_requests", "none"}})["spot_requests"], nullptr);
  EXPECT_NE(t.launch(true), "");
  EXPECT_EQ(Json::parse(t.ask("GET", "/_spotsim/quotas").body())["on_demand_vcpus"], 8);
  t.refused("quotas", R"({"spot_vcpus": "many"})");
  t.refused("quotas", R"({"spot_vcpu": 1})");
}

TEST(Control, SetsAPrice) {
  Struck t;
  t.post("price", {{"pool", "p3.2xlarge/us-west-2b"}, {"price", "99.5"}});
  EXPECT_NE(t.ec2("DescribeSpotPriceHistory&InstanceType.1=p3.2xlarge").find("99.5"),
            std::string::npos);
  EXPECT_EQ(t.metadata("spot/instance-action"), 200u);
  EXPECT_EQ(t.refused("price", R"({"pool": "p3.2xlarge/us-west-2b", "price": "-1"})"),
            "price: found \"-1\", expected US dollars an hour as text, such as \"0.918\"");
  EXPECT_EQ(t.refused("price", R"({"pool": "p3.2xlarge", "price": "1"})"),
            "pool: found \"p3.2xlarge\", expected a pool such as p3.2xlarge/us-west-2b");
}

TEST(Control, HandsOutTheLogInWholeLines) {
  Tested t("manual");
  for (int i = 0; i < 3000; ++i) t.ec2("DescribeInstances&Filter.1.Name=" + std::string(500, 'x'));
  std::string log;
  for (int chunks = 0; chunks < 100; ++chunks) {
    const auto chunk = t.ask("GET", "/_spotsim/log?offset=" + std::to_string(log.size()));
    if (chunk.body().empty()) break;
    EXPECT_LE(chunk.body().size(), std::size_t{1} << 20);
    EXPECT_EQ(chunk.body().back(), '\n');
    log += chunk.body();
    EXPECT_EQ(chunk["X-Spotsim-Next-Offset"], std::to_string(log.size()));
  }
  EXPECT_EQ(log, t.log());
  EXPECT_GT(log.size(), std::size_t{1} << 20);
  EXPECT_EQ(t.ask("GET", "/_spotsim/log?offset=x").result_int(), 400u);
  EXPECT_EQ(t.ask("GET", "/_spotsim/log?from=1").result_int(), 400u);
  EXPECT_EQ(t.ask("GET", "/_spotsim/log?offset=99999999999").body(), "");
}

TEST(Control, HandsOutTheResultSoFar) {
  Struck t;
  const Json so_far = Json::parse(t.ask("GET", "/_spotsim/result").body());
  EXPECT_EQ(so_far["now"], "2019-11-05T10:02:00.000000000Z");
  EXPECT_EQ(so_far["result"]["outcome"], "running");
  EXPECT_EQ(so_far["result"]["attempts"][0]["instance_id"], t.id);
  EXPECT_EQ(so_far["cost_so_far_usd"].get<double>(),
            t.testbed->served().cloud().cost_so_far().dollars());
  EXPECT_GT(so_far["cost_so_far_usd"].get<double>(), 0);
}

// The charges are for a PUT, and for 1 MiB of events, each counted as 26 bytes more.
TEST(Control, WhatS3AndLogsChargeIsInTheCostSoFar) {
  Tested t("manual");
  const auto signed_for = [](const std::string& service) {
    return "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/" + service +
           "/aws4_request, SignedHeaders=host, Signature=0";
  };
  const auto cost = [&] { return t.testbed->served().cloud().cost_so_far().nano; };
  EXPECT_EQ(t.ask("PUT", "/data",
                  "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
                  "</CreateBucketConfiguration>",
                  {{"Authorization", signed_for("s3")}})
                .result_int(),
            200u);
  EXPECT_EQ(cost(), 5'000);
  const auto logs = [&](const std::string& action, const Json& body) {
    return t
        .ask("POST", "/", body.dump(),
             {{"Authorization", signed_for("logs")}, {"X-Amz-Target", "Logs_20140328." + action}})
        .result_int();
  };
  EXPECT_EQ(logs("CreateLogGroup", {{"logGroupName", "g"}}), 200u);
  EXPECT_EQ(logs("CreateLogStream", {{"logGroupName", "g"}, {"logStreamName", "s"}}), 200u);
  const Json event{{"timestamp", 1572948000000}, {"message", std::string(262'118, 'x')}};
  EXPECT_EQ(logs("PutLogEvents", {{"logGroupName", "g"},
                                  {"logStreamName", "s"},
                                  {"logEvents", {event, event, event, event}}}),
            200u);
  EXPECT_EQ(cost(), 5'000 + 488'281);
}

TEST(Control, LooksChangeNothingAndDeedsAreLogged) {
  Struck t;
  const std::string before = t.log();
  for (const char* path : {"clock", "log", "result", "instances", "nothing"})
    t.ask("GET", std::string("/_spotsim/") + path);
  EXPECT_EQ(t.log(), before);
  t.refused("clock", R"({"by": "x"})");
  EXPECT_EQ(t.events.back().kind, "control");
  EXPECT_EQ(t.events.back().fields["result"], "by: found x, expected a duration such as 90s");
  t.refused("dance", "", 404);
  EXPECT_EQ(t.events.back().fields["action"], "unknown");
  EXPECT_EQ(t.ask("GET", "/moto-api/data.json").result_int(), 404u);
  EXPECT_EQ(t.ask("DELETE", "/_spotsim/clock").result_int(), 404u);
  EXPECT_EQ(t.ask("GET", "/_spotsim/nothing").result_int(), 404u);
}

// Any request gets a 2xx or a 4xx, and the world continues.
TEST(Control, AnswersAnyRequest) {
  Struck t;
  const std::string seeds[] = {
      R"({"by": "90s"})", R"({"to": "2019-11-05T12:00:00Z", "next": true})",
      R"({"instance": ")" + t.id + R"(", "how": "notice", "reason": "by-price"})",
      R"({"pool": "p3.2xlarge/us-west-2b", "slots": 18446744073709551615, "how": "hard"})",
      R"({"pool": "p3.2xlarge/us-west-2b", "price": "9223372036854775807.5"})"};
  const char* paths[] = {"/_spotsim/clock",        "/_spotsim/interrupt",
                         "/_spotsim/drain",        "/_spotsim/price",
                         "/_spotsim/log?offset=5", "/_spotsim/imds/i-0/latest",
                         "/latest/meta-data/x",    "/moto-api/reset"};
  const char* methods[] = {"GET", "POST", "PUT", "HEAD", "BREW"};
  Stream random = Streams(3).stream("fuzz");
  const auto mutated = [&](std::string text) {
    for (std::uint64_t n = random.below(4); n > 0 && !text.empty(); --n) {
      const auto at = random.below(text.size());
      if (random.below(2) == 0)
        text[at] = static_cast<char>(random.below(256));
      else
        text.erase(at, random.below(9));
    }
    return text;
  };
  for (int round = 0; round < 5000; ++round) {
    std::string target = paths[random.below(std::size(paths))];
    if (random.below(3) == 0) target = mutated(target);
    const auto response = t.ask(methods[random.below(std::size(methods))], target,
                                mutated(seeds[random.below(std::size(seeds))]));
    EXPECT_LT(response.result_int(), 500u) << target << response.body();
  }
  EXPECT_EQ(t.ask("GET", "/_spotsim/clock").result_int(), 200u);
}

}  // namespace
}  // namespace sim::serve
