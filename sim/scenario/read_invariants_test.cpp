#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

TEST_F(ScenarioFile, InvariantsAreReadInTheirThreeForms) {
  const Scenario s = read(good(
      "invariants:\n"
      "  notice_reaction: 1m\n"
      "  retries_in_a_second: 9\n"
      "  retries_in_a_row: 50\n"
      "  own:\n"
      "    - {name: a, never: {event: api.call, action: DeleteVolume, caller: i-*}}\n"
      "    - {name: b, at_most: 2, of: {event: trainer.start, step: 7}}\n"
      "    - {name: c, after: {event: instance.notice}, comes: {event: trainer.stop},\n"
      "       within: 30s, same: instance_id}\n"
      "    - {name: d, after: {event: x.y}, comes: {event: x.z}, within: 1s, same: [a, b]}\n"));
  const result::InvariantRules& rules = s.invariants;
  EXPECT_EQ(rules.notice_reaction, 60s);
  EXPECT_EQ(rules.retries_in_a_second, 9);
  EXPECT_EQ(rules.retries_in_a_row, 50);
  ASSERT_EQ(rules.own.size(), 4u);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(rules.own[0].of.event, "api.call");
  EXPECT_EQ(rules.own[0].of.fields, (Pairs{{"action", "DeleteVolume"}, {"caller", "i-*"}}));
  EXPECT_EQ(rules.own[0].at_most, 0);
  EXPECT_EQ(rules.own[1].at_most, 2);
  EXPECT_EQ(rules.own[1].of.fields, (Pairs{{"step", "7"}}));
  EXPECT_EQ(rules.own[2].comes->event, "trainer.stop");
  EXPECT_EQ(rules.own[2].within, 30s);
  EXPECT_EQ(rules.own[2].same, std::vector<std::string>{"instance_id"});
  EXPECT_EQ(rules.own[3].same, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read(good("invariants: [{name: a, never: {event: price}}]\n")).invariants.own.size(),
            1u);
  EXPECT_FALSE(read(good()).invariants.notice_reaction);
}

TEST_F(ScenarioFile, InvalidInvariantsAreReported) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[{name: a}]",
       "s.yaml:6:14: invariants[0]: found none of never, at_most and after, expected one"},
      {"[{name: a, never: {event: price}, at_most: 1}]",
       "invariants[0]: found several of never, at_most and after, expected one"},
      {"[{never: {event: price}}]", "invariants[0].name: found nothing, expected a name such as"},
      {"[{name: job-ends, never: {event: price}}]",
       "s.yaml:6:21: invariants[0].name: found job-ends, which another invariant has"},
      {"[{name: a, never: {event: price}}, {name: a, never: {event: price}}]",
       "invariants[1].name: found a, which another invariant has"},
      {"[{name: a, never: price}]",
       "invariants[0].never: found \"price\", expected an event and fields such as"},
      {"[{name: a, never: {event: api.cal}}]",
       "s.yaml:6:39: invariants[0].never.event: found api.cal, which is not an event of the log, "
       "expected one such as api.call"},
      {"[{name: a, never: {action: x}}]", "invariants[0].never.event: found nothing, expected"},
      {"[{name: a, never: {event: price, price: [1]}}]",
       "invariants[0].never.price: found a list, expected the value of a field"},
      {"[{name: a, at_most: few, of: {event: price}}]",
       "invariants[0].at_most: found \"few\", expected a whole number"},
      {"[{name: a, at_most: 1}]", "invariants[0].of: found nothing, expected an event and fields"},
      {"[{name: a, after: {event: price}, within: 1s}]",
       "invariants[0].comes: found nothing, expected an event and fields"},
      {"[{name: a, after: {event: price}, comes: {event: price}}]",
       "invariants[0].within: found nothing, expected a duration such as 30s"},
      {"[{name: a, never: {event: price}, within: 1s}]",
       "invariants[0]: found unknown key \"within\""},
      {"{notice_reaction: 30}", "invariants.notice_reaction: found \"30\", expected a duration"},
      {"{retries_in_a_row: 0}",
       "invariants.retries_in_a_row: found \"0\", expected a whole number"},
      {"{owns: []}", "invariants: found unknown key \"owns\""},
  };
  for (const auto& [rule, said] : wrong)
    EXPECT_PRED2(contains, errors(good(std::string("invariants: ") + rule + "\n")), said);
}

}  // namespace
}  // namespace sim::scenario
