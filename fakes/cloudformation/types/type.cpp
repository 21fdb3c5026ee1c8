#include "fakes/cloudformation/types/type.h"

#include <algorithm>

#include "base/text/lower_case.h"

namespace fakes::cloudformation {
namespace {

constexpr std::size_t kRandom = 13;  // characters

std::string random_characters(const ResourceCall& call) {
  constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const auto& resource = call.resource;
  sim::Stream stream = call.backend.streams.stream(
      "cloudformation-name",
      resource.stack_id + "/" + resource.logical_id + "/" + sim::iso_nanoseconds(resource.since));
  std::string text;
  for (std::size_t i = 0; i < kRandom; ++i) text += kCharacters[stream.below(kCharacters.size())];
  return text;
}

}  // namespace

// If they are too long, the stack's name and the logical ID are cut to the same length.
std::string generated_name(const ResourceCall& call, std::size_t most) {
  std::string stack = call.resource.stack_name, id = call.resource.logical_id;
  const std::size_t room = most - kRandom - 2;
  if (stack.size() + id.size() > room) {
    stack.resize(std::min(stack.size(), std::max(room / 2, room - std::min(room, id.size()))));
    id.resize(std::min(id.size(), room - stack.size()));
  }
  return stack + "-" + id + "-" + random_characters(call);
}

std::string generated_lower_name(const ResourceCall& call, std::size_t most) {
  return base::lower_case(generated_name(call, most));
}

sim::stacks::Tags own_tags(const sim::stacks::Handle& resource) {
  return {{"aws:cloudformation:logical-id", resource.logical_id},
          {"aws:cloudformation:stack-id", resource.stack_id},
          {"aws:cloudformation:stack-name", resource.stack_name}};
}

sim::Json physical_id(const ResourceCall& call, const std::string&) { return call.id(); }

}  // namespace fakes::cloudformation
