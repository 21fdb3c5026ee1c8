#include "fakes/authorisation/resource_policy.h"

#include "fakes/authorisation/authorisation.h"
#include "fakes/messaging.h"
#include "fakes/s3/bucket_settings.h"
#include "sim/cloud/error.h"
#include "sim/iam/decision.h"

namespace fakes::authorisation {
namespace {

using sim::iam::Caller;
using sim::iam::Decision;

// The name of the attribute of queues and topics that has the policy.
constexpr const char* kPolicy = "Policy";

const std::string* find(const std::map<std::string, std::string>& attributes) {
  const auto found = attributes.find(kPolicy);
  return found == attributes.end() ? nullptr : &found->second;
}

const std::string* find_bucket_policy(const Backend& backend, const std::string& name) {
  const auto found = backend.bucket_settings.find(name);
  const bool known = found != backend.bucket_settings.end() && found->second != nullptr;
  return known && found->second->policy ? &*found->second->policy : nullptr;
}

const std::string* find_document(const Backend& backend, const std::string& arn) {
  constexpr std::string_view kBuckets = "arn:aws:s3:::";
  if (arn.starts_with(kBuckets))
    return find_bucket_policy(backend,
                              arn.substr(kBuckets.size(), arn.find('/') - kBuckets.size()));
  if (!backend.messaging) return nullptr;
  if (const auto* const queue = backend.messaging->queues.find_arn(arn))
    return find(queue->settings.shown);
  const auto& topics = backend.messaging->topics.all();
  const auto topic = topics.find(arn);
  return topic == topics.end() ? nullptr : find(topic->second.attributes);
}

// The condition keys of a service's call (EventBridge User Guide, "Using IAM policy conditions";
// SNS Developer Guide, "Subscribing an Amazon SQS queue to an Amazon SNS topic").
sim::iam::ContextKeys keys_of(const Backend& backend, const ServiceCall& call) {
  return [&](std::string_view key) -> std::optional<sim::iam::Values> {
    if (key == "aws:sourcearn") return sim::iam::Values{call.source};
    if (key == "aws:sourceaccount") return sim::iam::Values{backend.iam->id()};
    if (key == "aws:principalservicename") return sim::iam::Values{call.service};
    if (key == "aws:principalisawsservice" || key == "aws:securetransport")
      return sim::iam::Values{"true"};
    if (key == "aws:currenttime")
      return sim::iam::Values{sim::iso_seconds(backend.simulation.now())};
    return {};
  };
}

}  // namespace

std::optional<sim::iam::CompiledPolicy> policy_of_resource(const Backend& backend,
                                                           const std::string& arn) {
  const std::string* const document = find_document(backend, arn);
  if (document == nullptr) return {};
  try {
    return sim::iam::compile_policy(*document);
  } catch (const sim::cloud::ApiError&) {
    return {};
  }
}

bool is_permitted(Backend& backend, const ServiceCall& call) {
  if (!backend.iam->decides()) return true;
  const Caller caller{.kind = Caller::Kind::kService, .name = call.service, .arn = call.service};
  const auto policy = policy_of_resource(backend, call.resource);
  const sim::iam::ContextKeys keys = keys_of(backend, call);
  const Decision decision =
      sim::iam::decide({}, {call.action, call.resource, keys}, caller, policy ? &*policy : nullptr);
  if (decision.allowed()) return true;
  log_denial(backend, {caller, call.service},
             {{.action = call.action, .resource = call.resource}, decision});
  return false;
}

}  // namespace fakes::authorisation
