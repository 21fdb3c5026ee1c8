// AWS::Logs::LogGroup.
#include "api/logs.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::log_group {
namespace {

namespace logs = api::logs::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn"};
constexpr std::string_view kUpdated[] = {"DataProtectionPolicy", "KmsKeyId", "RetentionInDays",
                                         "Tags"};
constexpr std::string_view kChanges[] = {"RetentionInDays"};
constexpr std::size_t kLongestName = 512;

void put_retention(const ResourceCall& call, const std::string& name,
                   std::optional<std::int64_t> days) {
  if (days)
    call.ask<logs::PutRetentionPolicy>({.log_group_name = name, .retention_in_days = *days});
  else
    call.ask<logs::DeleteRetentionPolicy>({.log_group_name = name});
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"LogGroupClass"});
  logs::CreateLogGroup::Request request;
  request.log_group_name =
      properties.take_text("LogGroupName").value_or(generated_name(call, kLongestName));
  request.kms_key_id = properties.take_text("KmsKeyId");
  for (const Json& tag : properties.take_all_tags())
    request.tags[tag.value("Key", "")] = tag.value("Value", "");
  const auto days = properties.take_number("RetentionInDays");
  properties.end();
  const std::string name = *request.log_group_name;
  call.ask<logs::CreateLogGroup>(request);
  if (days)
    undo_on_failure(
        name, [&] { put_retention(call, name, days); },
        [&] { call.ask<logs::DeleteLogGroup>({.log_group_name = name}); });
  return name;
}

void update(const ResourceCall& call, const Json&) {
  put_retention(call, call.id(), call.properties().take_number("RetentionInDays"));
}

void remove(const ResourceCall& call) {
  call.ask<logs::DeleteLogGroup>({.log_group_name = call.id()});
}

Json attribute(const ResourceCall& call, const std::string&) {
  return "arn:aws:logs:" + call.region() + ":" + call.account() + ":log-group:" + call.id() + ":*";
}

}  // namespace

const Type kType{.traits = {.type = "AWS::Logs::LogGroup",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::log_group
