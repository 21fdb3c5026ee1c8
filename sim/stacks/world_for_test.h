// For tests: stacks with resource types that keep their resources in a list.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/stacks/stacks.h"

namespace sim::stacks {

// Test::Thing takes any property and is ready after 10 s. A change of its Kind replaces it. Its
// property Fails selects the call that the service refuses: "create", "update" or "remove". "once"
// refuses the first removal with a transient error.
class ThingTypes : public ResourceTypes {
 public:
  explicit ThingTypes(Simulation& simulation) : simulation_(simulation) {}

  const Traits* find(std::string_view type) const override {
    static constexpr std::string_view kAttributes[] = {"Arn"};
    static constexpr std::string_view kUpdated[] = {"Size", "Tags", "Fails", "Of"};
    static const Traits kThing{.type = "Test::Thing",
                               .attributes = kAttributes,
                               .updated = kUpdated,
                               .has_tags = true,
                               .least = 10s};
    static const Traits kRole{
        .type = "Test::Role", .attributes = kAttributes, .is_iam = true, .name_property = "Name"};
    return type == kThing.type ? &kThing : type == kRole.type ? &kRole : nullptr;
  }
  bool is_skipped(std::string_view type) const override { return type == "Test::Skipped"; }
  std::string create(const Handle& resource) override {
    refuse_if(resource, "create");
    things.push_back(resource.logical_id + "-" + std::to_string(++made));
    did("create " + resource.logical_id);
    return things.back();
  }
  bool is_ready(const Handle&) override { return ready; }
  void update(const Handle& resource, const Json&) override {
    refuse_if(resource, "update");
    did("update " + resource.logical_id);
  }
  void remove(const Handle& resource) override {
    refuse_if(resource, "remove");
    if (resource.properties.value("Fails", "") == "once" && !refused_once_) {
      refused_once_ = true;
      throw ApiError("DependencyViolation", "in use");
    }
    std::erase(things, resource.physical_id);
    did("remove " + resource.physical_id);
  }
  bool is_gone(const Handle&) override { return true; }
  Json ref(const Handle& resource) override { return resource.physical_id; }
  Json attribute(const Handle& resource, const std::string& name) override {
    return name + ":" + resource.physical_id;
  }
  std::optional<std::string> stored_parameter(const std::string& name,
                                              const std::optional<iam::Caller>&) override {
    return name == "/ami" ? std::optional<std::string>("ami-1") : std::nullopt;
  }
  void check_role(const std::string&) override {}
  std::vector<std::string> zones(const std::string& region) const override {
    return {region + "a", region + "b"};
  }

  std::vector<std::string> things;  // physical IDs of existing resources
  std::vector<std::string> calls;
  bool ready = true;
  int made = 0;

 private:
  static void refuse_if(const Handle& resource, const char* what) {
    if (resource.properties.value("Fails", "") == what)
      throw ApiError("Refused", std::string("the service refuses to ") + what);
  }
  void did(std::string what) { calls.push_back(std::move(what)); }

  Simulation& simulation_;
  bool refused_once_ = false;
};

struct StacksWorld {
  const Stack& create(const std::string& name, const std::string& text) {
    const Stack& stack = stacks.create({.name = name, .template_text = text});
    run();
    return stack;
  }
  const Stack& update(const std::string& name, const std::string& text) {
    const Stack& stack = stacks.update({.name = name, .template_text = text});
    run();
    return stack;
  }
  void remove(const std::string& name) {
    stacks.remove({.name = name});
    run();
  }
  // Runs until no event is left.
  void run() {
    while (simulation.step()) {
    }
  }
  // The stack's events as "A CREATE_COMPLETE", followed by "/ " and the reason if there is one.
  static std::vector<std::string> story(const Stack& stack) {
    std::vector<std::string> lines;
    for (const StackEvent& event : stack.events)
      lines.push_back(event.logical_id + " " + event.status +
                      (event.reason.empty() ? "" : " / " + event.reason));
    return lines;
  }

  Simulation simulation{parse_time("2019-11-05T10:00:00Z").value()};
  EventLog log;
  Streams streams{7};
  ThingTypes types{simulation};
  Stacks stacks{simulation, log, streams, types, {"123456789012", "us-west-2"}};
};

// The error of a call as "CODE: message", or an empty text if it succeeds.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const ApiError& error) {
    return error.code() + ": " + error.what();
  }
  return "";
}

}  // namespace sim::stacks
