// What clients can make of the vendor's API: its requests, damaged.
#include "api/fuzz/fuzz.h"

#include <array>
#include <memory>
#include <random>

#include "fakes/spotinst/spotinst_for_test.h"

namespace fakes::spotinst {
namespace {

namespace http = boost::beast::http;

struct Seed {
  http::verb method;
  std::string target, body;
};

TEST(SpotinstFuzz, AnswersAnyRequestInTheVendorsEnvelope) {
  std::mt19937 random(5);
  std::unique_ptr<TestSpotinst> t;
  std::vector<Seed> seeds;
  int done = 0, refused = 0;
  const int rounds = api::fuzz_rounds() / 4;
  for (int round = 0; round < rounds; ++round) {
    if (round % 200 == 0) {
      t = std::make_unique<TestSpotinst>();
      const std::string group = TestSpotinst::path(t->group());
      const std::string stateful =
          group + "/statefulInstance/" +
          t->get(group + "/statefulInstance").item().at("id").get<std::string>();
      seeds = {
          {http::verb::post, TestSpotinst::kGroups, TestSpotinst::body().dump()},
          {http::verb::put, group, R"({"group":{"strategy":{"risk":50,"fallbackToOd":null}}})"},
          {http::verb::put, group + "/capacity", R"({"capacity":{"target":1,"maximum":2}})"},
          {http::verb::get, group + "/logs?fromDate=0&toDate=9&severity=ALL&limit=3", ""},
          {http::verb::get, group + "/events?startDate=2016-10-01", ""},
          {http::verb::get, group + "/status?accountId=act-1", ""},
          {http::verb::put, stateful + "/pause", ""},
          {http::verb::put, stateful + "/resume", ""},
          {http::verb::put, stateful + "/recycle", ""},
          {http::verb::delete_, group + "0",
           R"({"statefulDeallocation":{"shouldDeleteVolumes":true}})"}};
    }
    Seed seed = seeds[random() % seeds.size()];
    const unsigned what = random() % 8;
    if (what == 0) seed.target = api::damaged(seed.target, random);
    if (what > 2) seed.body = api::damaged(seed.body, random);
    const auto answer = t->ask(TestSpotinst::request(seed.method, seed.target, seed.body));
    const bool known = answer.status == 200 || answer.status == 400 || answer.status == 404;
    ASSERT_TRUE(known && answer.body.is_object()) << seed.target << "\n" << seed.body;
    ASSERT_TRUE(answer.body.at("response").contains("status"));
    ++(answer.status < 400 ? done : refused);
    if (round % 10 == 0) t->run(10min);
  }
  EXPECT_GT(done, rounds / 10);
  EXPECT_GT(refused, rounds / 10);
}

}  // namespace
}  // namespace fakes::spotinst
