#include "fakes/authorisation/service_keys.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/text/lower_case.h"
#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"

namespace fakes::authorisation {
namespace {

using FoundValues = std::optional<sim::iam::Values>;

// The values of a parameter of one action's request.
FoundValues of_request(const Subject& s, std::string_view action, std::string_view path) {
  if (s.permission.action != action) return {};
  auto values = values_of(s.context.parameters, path);
  return values.empty() ? FoundValues() : FoundValues(std::move(values));
}

// ---- EventBridge

// The values of a member of a rule's pattern: {"source": ["aws.ec2"]}.
FoundValues of_pattern(const Subject& s, const char* member) {
  const std::string text = value_of(s.context.parameters, "EventPattern");
  if (text.empty() || !sim::is_shallow_json(text)) return {};
  const auto pattern = nlohmann::json::parse(text, nullptr, false);
  if (!pattern.is_object() || !pattern.contains(member) || !pattern[member].is_array()) return {};
  sim::iam::Values values;
  for (const auto& one : pattern[member])
    if (one.is_string()) values.push_back(one.get<std::string>());
  return values.empty() ? FoundValues() : FoundValues(std::move(values));
}

FoundValues of_event(const Subject& s, const char* in_pattern, std::string_view of_entry) {
  if (s.permission.action == "events:PutRule") return of_pattern(s, in_pattern);
  return of_request(s, "events:PutEvents", of_entry);
}

// ---- S3

bool is_of_s3(const Subject& s) { return s.permission.action.starts_with("s3:"); }

const std::string* header_of(const Subject& s, std::string_view name) {
  return s.context.http != nullptr ? s.context.http->headers.find(name) : nullptr;
}

bool has_in_query(const Subject& s, std::string_view name) {
  return s.context.http != nullptr && s.context.http->query.find(name) != std::string::npos;
}

// How a request to S3 is signed, in its head or its URL (Amazon S3 API reference, "Amazon S3
// Signature Version 4 Authentication Specific Policy Keys"). Empty for forms and unsigned requests.
FoundValues signature_version(const Subject& s) {
  if (!is_of_s3(s)) return {};
  if (const std::string* const signature = header_of(s, "authorization"))
    return some(signature->starts_with("AWS ") ? "AWS" : "AWS4-HMAC-SHA256");
  if (has_in_query(s, "X-Amz-Signature=")) return some("AWS4-HMAC-SHA256");
  return has_in_query(s, "AWSAccessKeyId=") ? some("AWS") : FoundValues();
}

FoundValues authentication_type(const Subject& s) {
  if (!signature_version(s)) return {};
  return some(header_of(s, "authorization") != nullptr ? "REST-HEADER" : "REST-QUERY-STRING");
}

// Not for requests that write or delete the object (Amazon S3 User Guide, "Tagging and access
// control policies").
bool knows_tags_of_object(std::string_view action) {
  return action.starts_with("s3:GetObject") ||
         (action.find("Object") != action.npos &&
          (action.ends_with("Acl") || action.ends_with("Tagging")));
}

// A tag of the object that the permission is about: "arn:aws:s3:::bucket/key".
FoundValues tag_of_object(const Subject& s, std::string_view key) {
  constexpr std::string_view kArn = "arn:aws:s3:::";
  if (!knows_tags_of_object(s.permission.action) || !s.permission.resource.starts_with(kArn))
    return {};
  const std::string path = s.permission.resource.substr(kArn.size());
  const auto slash = path.find('/');
  if (slash == path.npos) return {};
  try {
    const auto& object =
        s.context.backend.objects.object(path.substr(0, slash), path.substr(slash + 1));
    for (const auto& [name, value] : object.tags)
      if (base::lower_case(name) == key) return some(value);
  } catch (const sim::cloud::ApiError&) {  // there is no such object
  }
  return {};
}

// The tags that a request gives to an object, from "a=1&b=2" or from the document of
// PutObjectTagging.
api::Parameters tags_for_object(const Subject& s) {
  api::Parameters tags;
  const std::string* const header = header_of(s, "x-amz-tagging");
  const std::string text = header != nullptr ? *header : value_of(s.context.parameters, "Tagging");
  if (!text.empty()) api::parse_form(text, tags);
  const auto keys = values_of(s.context.parameters, "Tagging.TagSet.Tag.Key");
  const auto values = values_of(s.context.parameters, "Tagging.TagSet.Tag.Value");
  for (std::size_t i = 0; i < keys.size(); ++i)
    tags.push_back({keys[i], i < values.size() ? values[i] : ""});
  return tags;
}

FoundValues tag_for_object(const Subject& s, std::string_view key) {
  for (const api::Parameter& tag : tags_for_object(s))
    if (base::lower_case(tag.name) == key) return some(tag.value);
  return {};
}

FoundValues keys_for_object(const Subject& s) {
  sim::iam::Values keys;
  for (api::Parameter& tag : tags_for_object(s)) keys.push_back(std::move(tag.name));
  return keys.empty() ? FoundValues() : FoundValues(std::move(keys));
}

struct ServiceKeyRow {
  std::string_view key;
  FoundValues (*value)(const Subject& subject);
};
constexpr ServiceKeyRow kServiceKeys[] = {
    {"cloudwatch:namespace",
     [](const Subject& s) { return of_request(s, "cloudwatch:PutMetricData", "Namespace"); }},
    {"sns:protocol", [](const Subject& s) { return of_request(s, "sns:Subscribe", "Protocol"); }},
    {"sns:endpoint", [](const Subject& s) { return of_request(s, "sns:Subscribe", "Endpoint"); }},
    {"events:source", [](const Subject& s) { return of_event(s, "source", "Entries.Source"); }},
    {"events:detail-type",
     [](const Subject& s) { return of_event(s, "detail-type", "Entries.DetailType"); }},
    {"s3:resourceaccount",
     [](const Subject& s) {
       return is_of_s3(s) ? some(s.context.backend.iam->id()) : FoundValues();
     }},
    {"s3:locationconstraint",
     [](const Subject& s) {
       return of_request(s, "s3:CreateBucket", "CreateBucketConfiguration.LocationConstraint");
     }},
    {"s3:signatureversion", signature_version},
    {"s3:authtype", authentication_type},
    {"s3:requestobjecttagkeys", keys_for_object}};

// Keys that end in the name of a tag.
struct TagKeyRow {
  std::string_view prefix;
  FoundValues (*value)(const Subject& subject, std::string_view tag);
};
constexpr TagKeyRow kTagKeys[] = {{"s3:existingobjecttag/", tag_of_object},
                                  {"s3:requestobjecttag/", tag_for_object}};

}  // namespace

FoundValues find_service_key(const Subject& subject, std::string_view key) {
  for (const TagKeyRow& row : kTagKeys)
    if (key.starts_with(row.prefix)) return row.value(subject, key.substr(row.prefix.size()));
  const auto* const row = std::ranges::find(kServiceKeys, key, &ServiceKeyRow::key);
  return row == std::end(kServiceKeys) ? FoundValues() : row->value(subject);
}

FoundValues tag_of_group(const Subject& subject, std::string_view key) {
  for (const auto* const group : subject.context.backend.groups.groups())
    if (group->arn == subject.permission.resource) {
      for (const auto& [name, tag] : group->tags)
        if (base::lower_case(name) == key) return some(tag.value);
      return {};
    }
  if (subject.permission.action != "autoscaling:CreateAutoScalingGroup") return {};
  return find_key(subject, "aws:requesttag/" + std::string(key));
}

}  // namespace fakes::authorisation
