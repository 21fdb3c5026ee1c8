// AWS::SQS::Queue.
#include "api/sqs.h"
#include "fakes/cloudformation/types/attribute_maps.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::queue {
namespace {

namespace sqs = api::sqs::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn", "QueueName", "QueueUrl"};
constexpr std::string_view kUpdated[] = {"ContentBasedDeduplication",
                                         "DeduplicationScope",
                                         "DelaySeconds",
                                         "FifoThroughputLimit",
                                         "KmsDataKeyReusePeriodSeconds",
                                         "KmsMasterKeyId",
                                         "MaximumMessageSize",
                                         "MessageRetentionPeriod",
                                         "ReceiveMessageWaitTimeSeconds",
                                         "RedriveAllowPolicy",
                                         "RedrivePolicy",
                                         "SqsManagedSseEnabled",
                                         "Tags",
                                         "VisibilityTimeout"};
constexpr std::string_view kChanges[] = {"ContentBasedDeduplication",
                                         "DeduplicationScope",
                                         "DelaySeconds",
                                         "FifoThroughputLimit",
                                         "MaximumMessageSize",
                                         "MessageRetentionPeriod",
                                         "ReceiveMessageWaitTimeSeconds",
                                         "RedriveAllowPolicy",
                                         "RedrivePolicy",
                                         "VisibilityTimeout"};
constexpr std::size_t kLongestName = 80;
constexpr std::string_view kFifo = ".fifo";

// The queue's encryption has no effect here.
void ignore_encryption(Properties& properties) {
  properties.ignore({"KmsDataKeyReusePeriodSeconds", "KmsMasterKeyId", "SqsManagedSseEnabled"});
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  ignore_encryption(properties);
  sqs::CreateQueue::Request request;
  request.attributes = take_attributes(properties, kChanges);
  const bool fifo = properties.take_flag("FifoQueue").value_or(false);
  if (fifo) request.attributes["FifoQueue"] = "true";
  request.queue_name = properties.take_text("QueueName")
                           .value_or(generated_name(call, kLongestName - kFifo.size()) +
                                     std::string(fifo ? kFifo : ""));
  for (const Json& tag : properties.take_tags())
    request.tags[tag.value("Key", "")] = tag.value("Value", "");
  properties.end();
  return call.ask<sqs::CreateQueue>(request).queue_url.value();
}

void update(const ResourceCall& call, const Json&) {
  Properties properties = call.properties();
  call.ask<sqs::SetQueueAttributes>(
      {.attributes = take_attributes(properties, kChanges), .queue_url = call.id()});
}

void remove(const ResourceCall& call) { call.ask<sqs::DeleteQueue>({.queue_url = call.id()}); }

Json attribute(const ResourceCall& call, const std::string& name) {
  if (name == "QueueUrl") return call.id();
  const std::string queue = call.id().substr(call.id().rfind('/') + 1);
  if (name == "QueueName") return queue;
  return "arn:aws:sqs:" + call.region() + ":" + call.account() + ":" + queue;
}

}  // namespace

const Type kType{.traits = {.type = "AWS::SQS::Queue",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::queue
