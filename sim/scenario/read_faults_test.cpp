// The `faults` block.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/faults/kinds.h"
#include "sim/kernel/random.h"
#include "sim/scenario/mutations_for_test.h"
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

using namespace std::chrono_literals;
using faults::ArgumentType;
using faults::Fault;
using faults::OnCall;
using faults::OnEvent;
using faults::OnMetadata;

class Faults : public ScenarioFile {
 protected:
  faults::Plan plan(const std::string& entry) const {
    return read(good("faults:\n  - " + entry + "\n")).faults;
  }
  Fault one(const std::string& entry) const { return plan(entry).at(0); }
  std::string said(const std::string& entry) const {
    return errors(good("faults:\n  - " + entry + "\n"));
  }
};

// A value other than the parameter's default.
std::string example_of(const faults::Parameter& parameter) {
  if (parameter.name == "notice") return "0s";  // volumes can be lost only without a notice
  switch (parameter.type) {
    case ArgumentType::kFlag:
      return parameter.fallback == "true" ? "false" : "true";
    case ArgumentType::kWhole:
      return "417";
    case ArgumentType::kMachine:
      return "3";
    case ArgumentType::kNumber:
      return "2.25";
    case ArgumentType::kDuration:
      return "1h2m3.5s";
    case ArgumentType::kPool:
      return "p3.2xlarge/us-west-2a";
    case ArgumentType::kZone:
      return "us-west-2a";
    case ArgumentType::kType:
      return "p3.2xlarge";
    case ArgumentType::kAction:
      return "CreateVolume";
    case ArgumentType::kText:
      return "'a: \"b\" #c'";
    case ArgumentType::kWord:
      break;
  }
  return std::string(parameter.words.substr(parameter.words.rfind(' ') + 1));
}

TEST_F(Faults, HaveSixWaysToStateTheirTime) {
  EXPECT_EQ(one("{at: 90m, kind: power-cut}").when, faults::When(faults::AtTime{90min}));
  EXPECT_EQ(one("{every: 2h, kind: power-cut}").when, faults::When(faults::Drawn{2h}));
  EXPECT_EQ(one("{on: {event: trainer.step, instance_id: 1, step: 40, nth: 2, after: 3s}, kind: "
                "power-cut}")
                .when,
            faults::When(OnEvent{.event = "trainer.step",
                                 .fields = {{"instance_id", "1"}, {"step", "40"}},
                                 .nth = 2,
                                 .after = 3s}));
  EXPECT_EQ(one("{before_call: {action: CreateVolume, caller: operator}, kind: power-cut}").when,
            faults::When(OnCall{.action = "CreateVolume", .caller = "operator"}));
  EXPECT_EQ(one("{after_call: {action: any, caller: 2, nth: 7}, kind: power-cut}").when,
            faults::When(OnCall{.side = OnCall::Side::kAfter, .caller = "2", .nth = 7}));
  EXPECT_EQ(one("{on_metadata: {path: /latest/api/token, instance: 1}, kind: power-cut}").when,
            faults::When(OnMetadata{.path = "/latest/api/token", .instance = "1"}));
  EXPECT_DOUBLE_EQ(one("{at: 1h, kind: power-cut, chance: 0.5}").chance, 0.5);
}

TEST_F(Faults, HaveTheirKindsDefaults) {
  const Fault fault = one("{at: 1h, kind: interrupt, instance: 2}");
  EXPECT_EQ(fault.arguments.get<Duration>("notice"), 2min);
  EXPECT_EQ(fault.arguments.get<std::string>("reason"), "no-capacity");
  EXPECT_EQ(fault.arguments.get<std::int64_t>("instance"), 2);
  EXPECT_EQ(one("{at: 1h, kind: interrupt}").arguments.find<std::int64_t>("instance"), nullptr);
}

TEST_F(Faults, AreRefusedWithLineAndExpectation) {
  const std::string at = "s.yaml:7:5: faults[0]: ";
  EXPECT_EQ(said("{kind: power-cut}"),
            at + "found a mapping, expected one of at, every, on, before_call, after_call, "
                 "on_metadata and lifetime");
  EXPECT_TRUE(contains(said("{lifetime: {shape: 2}, kind: interrupt}"), "faults[0].lifetime.mean"));
  EXPECT_TRUE(contains(said("{lifetime: {mean: 0s}, kind: interrupt}"),
                       "expected a mean lifetime of at least 1s"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: interrupt, volumes: lost}"),
                       "faults[0].volumes: found lost with a notice, expected also `notice: 0s`"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: network-down, subnet: subnet-1, instance: 2}"),
                       "faults[0].subnet: found subnet-1 beside `instance`, expected one of the "
                       "two"));
  EXPECT_TRUE(contains(said("{at: 1h, every: 2h, kind: power-cut}"), "expected one of at, every"));
  EXPECT_TRUE(contains(said("{at: 13h, kind: power-cut}"),
                       "faults[0].at: found \"13h\", expected a time before the run's limit"));
  EXPECT_TRUE(contains(said("{at: soon, kind: power-cut}"), "expected a duration such as 90s"));
  EXPECT_TRUE(contains(said("{every: 0.5s, kind: power-cut}"), "expected a mean of at least 1s"));
  EXPECT_TRUE(contains(said("{at: 1h}"), "faults[0].kind: "));
  EXPECT_TRUE(
      contains(said("{at: 1h, kind: meteorite}"),
               "faults[0].kind: found \"meteorite\", expected one of interrupt, reclaim, "));
  EXPECT_TRUE(contains(said("{at: 1h, kind: power-cut, colour: red}"), "colour"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: power-cut, volumes: burnt}"),
                       "faults[0].volumes: found \"burnt\", expected one of kept, lost"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: power-cut, instance: 0}"), "faults[0].instance"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: slow}"), "faults[0].transition"));
  EXPECT_TRUE(
      contains(said("{at: 1h, kind: drain, pool: p3.2xlarge/us-west-2c}"), "faults[0].pool"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: power-cut, chance: 0}"),
                       "faults[0].chance: found \"0\", expected a number above 0, to 1"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: power-cut, chance: 1.5}"), "above 0, to 1"));
  EXPECT_TRUE(contains(said("{on: {step: 3}, kind: power-cut}"), "on.event: "));
  EXPECT_TRUE(
      contains(said("{on: {event: x, step: ~}, kind: power-cut}"), "faults[0].on.step: found "));
  EXPECT_TRUE(contains(said("{on: {event: x, nth: 0}, kind: power-cut}"), "on.nth: found \"0\""));
  EXPECT_TRUE(
      contains(said("{before_call: {caller: 1}, kind: power-cut}"), "before_call.action: "));
  EXPECT_TRUE(contains(said("{before_call: {action: any, caller: i-1}, kind: power-cut}"),
                       "caller: found \"i-1\", expected the number of an instance in order of "
                       "launch, or operator"));
  EXPECT_TRUE(contains(said("{before_call: {action: any, who: 1}, kind: power-cut}"), "who"));
  EXPECT_TRUE(contains(said("{on_metadata: {path: any, instance: 01}, kind: power-cut}"),
                       "the number of an instance"));
  EXPECT_TRUE(contains(said("power-cut"), "faults[0]: found \"power-cut\""));
  EXPECT_TRUE(contains(errors(good("faults: {at: 1h}\n")),
                       "faults: found a mapping, expected a list such as [{at: 1h, kind: "));
}

TEST_F(Faults, AreWrittenAsTheyAreRead) {
  const std::string whens[] = {
      "at: 1m0.000000001s",
      "every: 24h",
      "on: {event: volume.state, to: \"null\", from: '', 'a: b': \"~\", instance_id: 2, nth: 3}",
      "on: {event: trainer.step, step: 5, after: 3ms}",
      "before_call: {action: any}",
      "after_call: {action: CreateTags, caller: operator, nth: 12}",
      "on_metadata: {path: /latest/meta-data/, instance: 3, nth: 2}",
      "on_metadata: {path: any}",
      "lifetime: {mean: 2h}",
      "lifetime: {mean: 90s, shape: 0.7, pool: p3.2xlarge/us-west-2b}"};
  std::size_t next = 0;
  for (const faults::Kind* kind : faults::kinds()) {
    std::string least = fmt::format("kind: {}", kind->name), most = least;
    for (const faults::Parameter& parameter : kind->parameters) {
      if (kind->name == "network-down" && parameter.name == "instance") continue;  // has `subnet`
      const std::string given = fmt::format(", {}: {}", parameter.name, example_of(parameter));
      if (parameter.required) least += given;
      most += given;
    }
    for (const std::string& text : {least, most, most + ", chance: 0.125"}) {
      const std::string& when = whens[next++ % std::size(whens)];
      const Fault fault = one(fmt::format("{{{}, {}}}", when, text));
      const std::string written = faults::to_yaml(fault);
      EXPECT_EQ(one(written), fault) << written;
      EXPECT_EQ(faults::to_yaml(one(written)), written);
    }
  }
}

TEST_F(Faults, CannotWaitForAnEventThatNoLogHas) {
  const std::string text = said("{on: {event: instance.notce}, kind: power-cut}");
  EXPECT_NE(text.find("instance.notice"), std::string::npos) << text;
}

TEST_F(Faults, NameActionsZonesAndTypesThatExist) {
  EXPECT_EQ(said("{before_call: {action: CreateVolum}, kind: power-cut}"),
            "s.yaml:7:28: faults[0].before_call.action: found CreateVolum, expected an AWS action "
            "that spotsim simulates, such as CreateVolume");
  EXPECT_TRUE(contains(said("{at: 1h, kind: api-error, action: RunInstance}"),
                       "faults[0].action: found RunInstance, expected an AWS action that spotsim "
                       "simulates, such as RunInstances"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: drain, zone: us-west-2z}"),
                       "faults[0].zone: found us-west-2z, expected an Availability Zone with "
                       "prices, such as us-west-2a"));
  EXPECT_TRUE(contains(said("{at: 1h, kind: drain, type: p9.2xlarge}"),
                       "faults[0].type: found p9.2xlarge, expected an instance type with prices, "
                       "such as p3.2xlarge"));
  EXPECT_TRUE(contains(said("{on_metadata: {path: latest/api/token}, kind: power-cut}"),
                       "expected a path such as /latest/api/token, or any"));
}

// Faults do not see the first line, and after the last line nothing can happen.
TEST_F(Faults, StrikeNeitherWithTheFirstLineNorWithTheLast) {
  EXPECT_TRUE(contains(said("{on: {event: run.start}, kind: power-cut}"),
                       "faults[0].on.event: found \"run.start\", expected an event after the "
                       "run's start (for the start, use `at: 0s`)"));
  EXPECT_TRUE(contains(said("{on: {event: run.end}, kind: power-cut}"), "before the run's end"));
}

TEST_F(Faults, OfASwarmAreTheSurvivableOnesOrTheNamedOnes) {
  const faults::Plan usual = read(good("swarm: {every: 2h, share: 0.25}\n")).faults;
  std::set<std::string> kinds;
  for (const Fault& fault : usual) {
    kinds.insert(fault.kind);
    EXPECT_TRUE(faults::find_kind(fault.kind)->passes) << fault.kind;
    EXPECT_DOUBLE_EQ(fault.chance, 0.25);
  }
  EXPECT_GT(kinds.size(), 20U);
  const faults::Plan named =
      read(good("swarm: {every: 2h, kinds: [interrupt, trainer-crash]}\n")).faults;
  ASSERT_EQ(named.size(), 3U);
  EXPECT_EQ(named[0].when, faults::When(faults::Drawn{4h})) << "with its usual notice";
  EXPECT_EQ(named[1].arguments.get<Duration>("notice"), 15s) << "or a late one";
  EXPECT_EQ(named[2].when, faults::When(faults::Drawn{2h}));
  EXPECT_TRUE(contains(errors(good("swarm: {share: 0.5}\n")), "swarm.every: "));
  EXPECT_TRUE(contains(errors(good("swarm: {every: 2h, share: 0}\n")), "above 0, to 1"));
  EXPECT_TRUE(contains(errors(good("swarm: {every: 2h, kinds: [storm]}\n")), "swarm.kinds[0]: "));
  EXPECT_TRUE(contains(errors(good("swarm: {every: 2h, kinds: []}\n")), "at least one kind"));
  EXPECT_TRUE(
      contains(errors(good("swarm: {every: 2h, kinds: [drain, drain]}\n")), "swarm.kinds[1]: "));
}

TEST_F(Faults, WithAnyTextAreWrittenAsTheyAreRead) {
  Stream stream = Streams(1).stream("texts", "");
  const std::string alphabet = "ab01 :-,{}[]\"'\\#&*!|>%@`~?\n\t=<.y\xc3\xa4";
  for (int round = 0; round < 300; ++round) {
    const auto text = [&] {
      std::string made;
      for (auto size = stream.below(6); size > 0; --size) {
        const char c = alphabet[stream.below(alphabet.size() - 2)];
        made += c;
      }
      return stream.below(4) == 0 ? made + "\xc3\xa4" : made;
    };
    Fault fault = one("{at: 1h, kind: imds-error}");
    fault.when = OnEvent{.event = "mine." + ("e" + text()), .fields = {{"k" + text(), text()}}};
    fault.arguments.set("path", "p" + text());
    EXPECT_EQ(one(faults::to_yaml(fault)), fault) << faults::to_yaml(fault);
  }
}

TEST_F(Faults, WithAnyContentAreReadOrRefused) {
  const std::string original = good(
      "faults:\n"
      "  - {on: {event: volume.state, to: available, nth: 2, after: 3s}, kind: volume-error}\n"
      "  - {before_call: {action: CreateVolume, caller: 2}, kind: api-error, code: X, times: 3}\n"
      "  - {every: 3h, kind: drain, pool: p3.2xlarge/us-west-2a, for: 10m, chance: 0.5}\n"
      "  - {on_metadata: {path: any}, kind: imds-slow, delay: 5s}\n"
      "  - {at: 2h, kind: slow, transition: boot, takes: 10m}\n");
  Stream stream = Streams(2).stream("mutations", "");
  const std::size_t begin = original.find("faults:");
  int good_ones = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string block = original.substr(begin);
    const std::string changed =
        round % 2 == 0 ? with_other_words(block, stream) : mutated(block, stream);
    try {
      for (const Fault& fault : read(original.substr(0, begin) + changed).faults) {
        EXPECT_EQ(one(faults::to_yaml(fault)), fault) << faults::to_yaml(fault);
        ++good_ones;
      }
    } catch (const ScenarioError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
  EXPECT_GT(good_ones, 200);
}

}  // namespace
}  // namespace sim::scenario
