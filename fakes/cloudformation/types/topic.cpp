// AWS::SNS::Topic.
#include "api/sns.h"
#include "fakes/cloudformation/types/attribute_maps.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::topic {
namespace {

namespace sns = api::sns::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"TopicArn", "TopicName"};
constexpr std::string_view kUpdated[] = {"ArchivePolicy",        "ContentBasedDeduplication",
                                         "DataProtectionPolicy", "DeliveryStatusLogging",
                                         "DisplayName",          "FifoThroughputScope",
                                         "KmsMasterKeyId",       "SignatureVersion",
                                         "Subscription",         "Tags",
                                         "TracingConfig"};
constexpr std::string_view kChanges[] = {"DisplayName"};
constexpr std::string_view kTaken[] = {"ContentBasedDeduplication", "DisplayName", "FifoTopic"};
constexpr std::size_t kLongestName = 256;

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"KmsMasterKeyId", "SignatureVersion", "TracingConfig"});
  sns::CreateTopic::Request request;
  request.attributes = take_attributes(properties, kTaken);
  request.name = properties.take_text("TopicName").value_or(generated_name(call, kLongestName));
  for (const Json& tag : properties.take_tags())
    request.tags.push_back({.key = tag.value("Key", ""), .value = tag.value("Value", "")});
  const Json subscriptions = properties.take("Subscription");
  properties.end();
  const std::string arn = call.ask<sns::CreateTopic>(request).topic_arn.value();
  undo_on_failure(
      arn,
      [&] {
        if (!subscriptions.is_array()) return;
        for (const Json& one : subscriptions)
          call.ask<sns::Subscribe>({.endpoint = one.value("Endpoint", ""),
                                    .protocol = one.value("Protocol", ""),
                                    .topic_arn = arn});
      },
      [&] { call.ask<sns::DeleteTopic>({.topic_arn = arn}); });
  return arn;
}

void update(const ResourceCall& call, const Json&) {
  call.ask<sns::SetTopicAttributes>(
      {.attribute_name = "DisplayName",
       .attribute_value = call.properties().take_text("DisplayName").value_or(""),
       .topic_arn = call.id()});
}

// The topic's subscriptions end with it.
void remove(const ResourceCall& call) { call.ask<sns::DeleteTopic>({.topic_arn = call.id()}); }

Json attribute(const ResourceCall& call, const std::string& name) {
  return name == "TopicArn" ? call.id() : call.id().substr(call.id().rfind(':') + 1);
}

}  // namespace

const Type kType{.traits = {.type = "AWS::SNS::Topic",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::topic
