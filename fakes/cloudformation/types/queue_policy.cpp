// AWS::SQS::QueuePolicy.
#include "api/sqs.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::queue_policy {
namespace {

namespace sqs = api::sqs::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Id"};
constexpr std::string_view kUpdated[] = {"PolicyDocument", "Queues"};
constexpr std::size_t kLongestName = 128;

// An empty document removes the policies.
void set_policies(const ResourceCall& call, const Json& properties, const std::string& document) {
  const auto queues = properties.find("Queues");
  if (queues == properties.end()) throw sim::stacks::invalid("Property Queues cannot be empty.");
  for (const Json& url : *queues)
    call.ask<sqs::SetQueueAttributes>(
        {.attributes = {{"Policy", document}}, .queue_url = url.get<std::string>()});
}

void put(const ResourceCall& call) {
  Properties properties = call.properties();
  const Json document = properties.take("PolicyDocument");
  properties.ignore({"Queues"});
  properties.end();
  set_policies(call, call.resource.properties, document.dump());
}

std::string create(const ResourceCall& call) {
  put(call);
  return generated_name(call, kLongestName);
}

void update(const ResourceCall& call, const Json& before) {
  set_policies(call, before, "");
  put(call);
}

void remove(const ResourceCall& call) { set_policies(call, call.resource.properties, ""); }

}  // namespace

const Type kType{
    .traits = {.type = "AWS::SQS::QueuePolicy", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .attribute = physical_id,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::queue_policy
