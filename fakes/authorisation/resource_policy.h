// The policies that resources have themselves: of buckets, queues and topics (IAM User Guide,
// "Identity-based policies and resource-based policies").
#pragma once

#include <optional>
#include <string>

#include "fakes/backend.h"
#include "sim/iam/policy.h"

namespace fakes::authorisation {

// The policy of the bucket, queue or topic with this ARN; an object has its bucket's. Empty if
// there is none, or if AWS would not have accepted it.
std::optional<sim::iam::CompiledPolicy> policy_of_resource(const Backend& backend,
                                                           const std::string& arn);

// A service's call to a resource, for a rule or a topic.
struct ServiceCall {
  std::string service;   // "events.amazonaws.com"
  std::string action;    // "sqs:SendMessage"
  std::string resource;  // an ARN
  std::string source;    // the ARN of the rule or topic: the condition key aws:SourceArn
};

// True if the resource's policy lets the service perform the call, or if IAM does not decide.
// Logs iam.denied otherwise.
bool is_permitted(Backend& backend, const ServiceCall& call);

}  // namespace fakes::authorisation
