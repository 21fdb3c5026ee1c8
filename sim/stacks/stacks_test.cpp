// Tests of the engine: the order of steps, statuses and reasons.
#include <fmt/format.h>

#include "sim/stacks/world_for_test.h"

namespace sim::stacks {
namespace {

using Lines = std::vector<std::string>;

// Whether an event of the stack begins with `line`.
bool tells(const Stack& stack, const std::string& line) {
  const Lines story = StacksWorld::story(stack);
  return std::ranges::any_of(story, [&](const auto& one) { return one.starts_with(line); });
}
Lines sorted(Lines lines) {
  std::ranges::sort(lines);
  return lines;
}

constexpr const char* kChain = R"(
Resources:
  A: {Type: Test::Thing, Properties: {Of: !Ref B}}
  B: {Type: Test::Thing, Properties: {Of: !GetAtt C.Arn}}
  C: {Type: Test::Thing}
Outputs:
  Name: {Value: !Ref A}
)";

TEST(Stacks, MakesResourcesInTheOrderOfTheirNeedsAndRemovesThemInTheReverseOne) {
  StacksWorld w;
  const Stack& stack = w.create("s", kChain);
  EXPECT_EQ(stack.status, "CREATE_COMPLETE");
  EXPECT_EQ(w.types.calls, (Lines{"create C", "create B", "create A"}));
  EXPECT_EQ(stack.now.outputs.at(0).value, "A-3");
  EXPECT_EQ(stack.now.resources.at("B").properties.at("Of"), "Arn:C-1");
  EXPECT_EQ(StacksWorld::story(stack),
            (Lines{"s CREATE_IN_PROGRESS / User Initiated", "C CREATE_IN_PROGRESS",
                   "C CREATE_IN_PROGRESS / Resource creation Initiated", "C CREATE_COMPLETE",
                   "B CREATE_IN_PROGRESS", "B CREATE_IN_PROGRESS / Resource creation Initiated",
                   "B CREATE_COMPLETE", "A CREATE_IN_PROGRESS",
                   "A CREATE_IN_PROGRESS / Resource creation Initiated", "A CREATE_COMPLETE",
                   "s CREATE_COMPLETE"}));
  w.types.calls.clear();
  w.remove("s");
  EXPECT_EQ(w.types.calls, (Lines{"remove A-3", "remove B-2", "remove C-1"}));
  EXPECT_EQ(stack.status, "DELETE_COMPLETE");
  EXPECT_TRUE(w.types.things.empty());
  EXPECT_EQ(refusal([&] { w.stacks.stack("s"); }),
            "ValidationError: Stack with id s does not exist");
  EXPECT_EQ(w.stacks.stack(stack.id).status, "DELETE_COMPLETE");
}

TEST(Stacks, TakesNoTimeWhereServicesReactAtOnce) {
  StacksWorld w;
  Stacks stacks(w.simulation, w.log, w.streams, w.types, {"123456789012", "us-west-2"}, kInstant);
  const Time start = w.simulation.now();
  const Stack& stack = stacks.create({.name = "s", .template_text = kChain});
  w.run();
  EXPECT_EQ(stack.status, "CREATE_COMPLETE");
  stacks.remove({.name = "s"});
  w.run();
  EXPECT_EQ(stack.status, "DELETE_COMPLETE");
  EXPECT_EQ(w.simulation.now(), start);
}

TEST(Stacks, MakesTwoHundredResourcesAtOnce) {
  StacksWorld w;
  std::string text = "Resources:\n";
  for (int i = 0; i < 200; ++i)
    text += fmt::format("  R{}: {{Type: Test::Thing, Properties: {{Of: {}}}}}\n", i,
                        i < 20 ? "none" : fmt::format("!Ref R{}", i / 20));
  const Stack& one = w.stacks.create({.name = "one", .template_text = text});
  const Stack& two = w.stacks.create({.name = "two", .template_text = text});
  w.run();
  EXPECT_EQ(one.status, "CREATE_COMPLETE");
  EXPECT_EQ(two.status, "CREATE_COMPLETE");
  EXPECT_EQ(w.types.things.size(), 400u);
  EXPECT_LT(w.simulation.now() - one.created, 1min);
  w.remove("one");
  w.remove("two");
  EXPECT_TRUE(w.types.things.empty());
}

TEST(Stacks, RollsBackWithTheReasonOfTheResourceThatFailed) {
  StacksWorld w;
  const Stack& stack = w.create("s", R"(
Resources:
  A: {Type: Test::Thing}
  B: {Type: Test::Thing, DependsOn: A, Properties: {Fails: create}}
  Slow: {Type: Test::Thing, DependsOn: A}
)");
  EXPECT_EQ(stack.status, "ROLLBACK_COMPLETE");
  EXPECT_TRUE(w.types.things.empty());
  EXPECT_TRUE(tells(stack, "B CREATE_FAILED / the service refuses to create"));
  EXPECT_TRUE(tells(stack, "Slow CREATE_FAILED / Resource creation cancelled"));
  EXPECT_TRUE(tells(stack,
                    "s ROLLBACK_IN_PROGRESS / The following resource(s) failed to create: "
                    "[B, Slow]. Rollback requested by user."));
  EXPECT_NE(refusal([&] {
              w.update("s", kChain);
            }).find("is in ROLLBACK_COMPLETE state and can not be updated."),
            std::string::npos);
}

TEST(Stacks, KeepsOrDeletesWhatFailedWhereTheCallerAsksForIt) {
  StacksWorld w;
  const char* const text = R"(
Resources:
  A: {Type: Test::Thing}
  B: {Type: Test::Thing, DependsOn: A, Properties: {Fails: create}}
)";
  const Stack& kept =
      w.stacks.create({.name = "kept", .template_text = text, .on_failure = OnFailure::kDoNothing});
  const Stack& deleted =
      w.stacks.create({.name = "deleted", .template_text = text, .on_failure = OnFailure::kDelete});
  w.run();
  EXPECT_EQ(kept.status, "CREATE_FAILED");
  EXPECT_EQ(deleted.status, "DELETE_COMPLETE");
  EXPECT_EQ(w.types.things.size(), 1u);
}

TEST(Stacks, StopsACreationThatTakesTooLong) {
  StacksWorld w;
  w.types.ready = false;
  const Stack& stack =
      w.stacks.create({.name = "s", .template_text = kChain, .timeout_minutes = 2});
  w.run();
  EXPECT_EQ(stack.status, "ROLLBACK_COMPLETE");
  EXPECT_TRUE(tells(stack,
                    "s ROLLBACK_IN_PROGRESS / Stack creation time exceeded the "
                    "specified timeout. Rollback requested by user."));
}

TEST(Stacks, IsDeletedWhileItIsMade) {
  StacksWorld w;
  const Stack& stack = w.stacks.create({.name = "s", .template_text = kChain});
  w.simulation.run_until(w.simulation.now() + 4s);
  EXPECT_EQ(w.types.things.size(), 1u);
  w.remove("s");
  EXPECT_EQ(stack.status, "DELETE_COMPLETE");
  EXPECT_TRUE(w.types.things.empty());
}

TEST(Stacks, CallsAgainWhileSomethingElseUsesAResource) {
  StacksWorld w;
  w.create("s", "Resources: {A: {Type: Test::Thing, Properties: {Fails: once}}}");
  const Stack& stack = w.stacks.stack("s");
  w.remove("s");
  EXPECT_EQ(stack.status, "DELETE_COMPLETE");
}

TEST(Stacks, RetainsAndReportsWhatItCouldNotDelete) {
  StacksWorld w;
  const Stack& stack = w.create("s", R"(
Resources:
  Kept: {Type: Test::Thing, DeletionPolicy: Retain}
  Stuck: {Type: Test::Thing, Properties: {Fails: remove}}
  Base: {Type: Test::Thing}
  User: {Type: Test::Thing, Properties: {Of: !Ref Base}}
)");
  w.remove("s");
  EXPECT_EQ(stack.status, "DELETE_FAILED");
  EXPECT_EQ(stack.reason, "The following resource(s) failed to delete: [Stuck]. ");
  EXPECT_EQ(w.types.things, (Lines{"Kept-2", "Stuck-3"}));
  EXPECT_TRUE(tells(stack, "Kept DELETE_SKIPPED"));
  w.stacks.remove({.name = "s", .retain = {"Stuck"}});
  w.run();
  EXPECT_EQ(stack.status, "DELETE_COMPLETE");
}

TEST(Stacks, UpdatesInPlaceReplacesAddsAndCleansUp) {
  StacksWorld w;
  w.create("s", R"(
Resources:
  A: {Type: Test::Thing, Properties: {Size: 1}}
  B: {Type: Test::Thing, Properties: {Kind: x}}
  C: {Type: Test::Thing, Properties: {Of: !Ref B}}
  Gone: {Type: Test::Thing}
)");
  w.types.calls.clear();
  const Stack& stack = w.update("s", R"(
Resources:
  A: {Type: Test::Thing, Properties: {Size: 2}}
  B: {Type: Test::Thing, Properties: {Kind: y}}
  C: {Type: Test::Thing, Properties: {Of: !Ref B}}
  New: {Type: Test::Thing}
)");
  EXPECT_EQ(stack.status, "UPDATE_COMPLETE");
  EXPECT_EQ(sorted(w.types.calls), sorted({"update A", "create B", "create New", "update C",
                                           "remove B-2", "remove Gone-3"}));
  EXPECT_EQ(stack.now.resources.at("C").properties.at("Of"),
            stack.now.resources.at("B").physical_id);
  EXPECT_EQ(refusal([&] { w.stacks.update({.name = "s"}); }),
            "ValidationError: No updates are to be performed.");
}

TEST(Stacks, RollsAnUpdateBack) {
  StacksWorld w;
  w.create("s", R"(
Resources:
  A: {Type: Test::Thing, Properties: {Size: 1}}
  B: {Type: Test::Thing, Properties: {Kind: x}}
)");
  w.types.calls.clear();
  const Stack& stack = w.update("s", R"(
Resources:
  A: {Type: Test::Thing, Properties: {Size: 2}}
  B: {Type: Test::Thing, Properties: {Kind: y}}
  Bad: {Type: Test::Thing, DependsOn: [A, B], Properties: {Fails: create}}
)");
  EXPECT_EQ(stack.status, "UPDATE_ROLLBACK_COMPLETE");
  EXPECT_EQ(sorted(w.types.calls), sorted({"update A", "create B", "update A", "remove B-3"}));
  EXPECT_EQ(stack.now.resources.at("A").properties.at("Size"), "1");
  EXPECT_EQ(stack.now.resources.at("B").physical_id, "B-2");
  EXPECT_FALSE(stack.now.resources.contains("Bad"));
  EXPECT_EQ(w.types.things, (Lines{"A-1", "B-2"}));
}

TEST(Stacks, WaitsForTheSignalsOfACreationPolicy) {
  StacksWorld w;
  const char* const text = R"(
Resources:
  A:
    Type: Test::Thing
    CreationPolicy: {ResourceSignal: {Count: 2, Timeout: PT5M}}
)";
  const Stack& stack = w.stacks.create({.name = "s", .template_text = text});
  w.simulation.run_until(w.simulation.now() + 1min);
  EXPECT_EQ(stack.status, "CREATE_IN_PROGRESS");
  w.stacks.signal("s", "A", {"i-1"});
  w.stacks.signal("s", "A", {"i-1"});
  w.stacks.signal("s", "A", {"i-2"});
  w.run();
  EXPECT_EQ(stack.status, "CREATE_COMPLETE");
  const Stack& late = w.create("late", text);
  EXPECT_EQ(late.status, "ROLLBACK_COMPLETE");
  EXPECT_TRUE(tells(late,
                    "A CREATE_FAILED / Failed to receive 2 resource signal(s) within "
                    "the specified duration"));
}

TEST(Stacks, ExportsValuesToOtherStacks) {
  StacksWorld w;
  w.create("base", R"(
Resources: {A: {Type: Test::Thing}}
Outputs: {Name: {Value: !Ref A, Export: {Name: !Sub "${AWS::StackName}-A"}}}
)");
  const char* const user =
      "Resources: {B: {Type: Test::Thing, Properties: {Of: !ImportValue base-A}}}";
  const Stack& stack = w.create("user", user);
  EXPECT_EQ(stack.now.resources.at("B").properties.at("Of"), "A-1");
  EXPECT_EQ(refusal([&] { w.stacks.remove({.name = "base"}); }),
            "ValidationError: Export base-A cannot be deleted as it is in use by user");
  w.remove("user");
  w.remove("base");
  EXPECT_EQ(w.create("user", user).status, "ROLLBACK_COMPLETE");
}

TEST(Stacks, PassesOverSkippedTypesAndNamesUnknownOnes) {
  StacksWorld w;
  EXPECT_EQ(refusal([&] { w.create("s", "Resources: {A: {Type: Test::Other}}"); }),
            "ValidationError: Template format error: Unrecognized resource types: [Test::Other]");
  const Stack& stack = w.create("s", "Resources: {A: {Type: Test::Skipped}}");
  EXPECT_EQ(stack.status, "CREATE_COMPLETE");
  EXPECT_TRUE(
      tells(stack, "A CREATE_COMPLETE / The scenario skips the resource type Test::Skipped"));
  const Stack& names = w.create("t",
                                "Resources: {A: {Type: Test::Skipped}}\n"
                                "Outputs: {Arn: {Value: !GetAtt A.TableArn}}");
  EXPECT_EQ(names.now.outputs.at(0).value, "arn:aws:skipped:us-west-2:123456789012:t-A-skipped");
}

// cfn-init reads this metadata on an instance.
TEST(Stacks, GiveMetadataWithValuesInPlaceOfFunctions) {
  StacksWorld w;
  const Stack& stack = w.create("s",
                                "Resources: {A: {Type: Test::Thing, Metadata: {Of: !Sub "
                                "'${AWS::StackName}/${B}'}}, B: {Type: Test::Thing}}");
  EXPECT_EQ(w.stacks.metadata(stack, "A").dump(), R"({"Of":"s/B-1"})");
  EXPECT_TRUE(w.stacks.metadata(stack, "B").is_null());
}

TEST(Stacks, NeedsCapabilitiesForIam) {
  StacksWorld w;
  const std::string plain = "Resources: {A: {Type: Test::Role}}",
                    named = "Resources: {A: {Type: Test::Role, Properties: {Name: x}}}";
  const auto create = [&](const std::string& text, std::vector<std::string> capabilities) {
    return refusal([&] {
      w.stacks.create({.name = "s", .template_text = text, .capabilities = capabilities});
    });
  };
  EXPECT_EQ(create(plain, {}),
            "InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_IAM]");
  EXPECT_EQ(create(named, {"CAPABILITY_IAM"}),
            "InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_NAMED_IAM]");
  EXPECT_EQ(create(plain, {"CAPABILITY_NAMED_IAM"}), "");
}

TEST(ChangeSets, ListChangesAndAreExecuted) {
  StacksWorld w;
  const char* const first = "Resources: {A: {Type: Test::Thing, Properties: {Kind: x}}}";
  const char* const second = R"(
Resources:
  A: {Type: Test::Thing, Properties: {Kind: y}}
  B: {Type: Test::Thing, Properties: {Of: !Ref A}}
)";
  w.stacks.create_change_set({.name = "s", .template_text = first},
                             {.name = "c1", .kind = "CREATE"});
  const Stack& stack = w.stacks.stack("s");
  EXPECT_EQ(stack.status, "REVIEW_IN_PROGRESS");
  w.run();
  EXPECT_EQ(w.stacks.change_set("s", "c1").set.changes.at(0).action, "Add");
  w.stacks.execute_change_set({.stack = "s", .set = "c1"});
  w.run();
  EXPECT_EQ(stack.status, "CREATE_COMPLETE");

  w.stacks.create_change_set({.name = "s"}, {.name = "none", .kind = "UPDATE"});
  w.stacks.create_change_set({.name = "s", .template_text = second},
                             {.name = "c2", .kind = "UPDATE"});
  w.run();
  EXPECT_EQ(w.stacks.change_set("s", "none").set.status, "FAILED");
  const auto& changes = w.stacks.change_set("s", "c2").set.changes;
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_TRUE(changes[0].replaces);
  EXPECT_EQ(changes[0].properties, (Lines{"Kind"}));
  w.stacks.execute_change_set({.stack = "s", .set = "c2"});
  w.run();
  EXPECT_EQ(stack.status, "UPDATE_COMPLETE");
  EXPECT_EQ(w.types.things.size(), 2u);
}

}  // namespace
}  // namespace sim::stacks
