// AWS::S3::Bucket.
#include "api/s3.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::bucket {
namespace {

namespace s3 = api::s3::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn", "DomainName", "DualStackDomainName",
                                            "RegionalDomainName", "WebsiteURL"};
constexpr std::string_view kUpdated[] = {"AccelerateConfiguration",
                                         "AccessControl",
                                         "BucketEncryption",
                                         "CorsConfiguration",
                                         "LifecycleConfiguration",
                                         "LoggingConfiguration",
                                         "NotificationConfiguration",
                                         "OwnershipControls",
                                         "PublicAccessBlockConfiguration",
                                         "Tags",
                                         "VersioningConfiguration",
                                         "WebsiteConfiguration"};
constexpr std::string_view kChanges[] = {"LifecycleConfiguration", "Tags"};
constexpr std::size_t kLongestName = 63;

void put_tags(const ResourceCall& call, const std::string& bucket, Properties& properties) {
  api::s3::Tagging tagging;
  for (const Json& tag : properties.take_all_tags())
    tagging.tag_set.push_back({.key = tag.value("Key", ""), .value = tag.value("Value", "")});
  // CloudFormation's own tags need no permission.
  const bool has_others = call.resource.properties.contains("Tags");
  ask<s3::PutBucketTagging>(call.backend, has_others ? call.resource.actor : sim::stacks::Actor{},
                            {.bucket = bucket, .tagging = tagging});
}

void put_lifecycle(const ResourceCall& call, const std::string& bucket, Properties& properties) {
  Json configuration = properties.take("LifecycleConfiguration");
  if (!configuration.is_object() || !configuration.contains("Rules")) return;
  for (Json& rule : configuration["Rules"]) {
    if (!rule.is_object() || !rule.contains("Id")) continue;
    rule["ID"] = rule["Id"];  // S3's own name of the member
    rule.erase("Id");
  }
  const Json request = {{"Bucket", bucket}, {"LifecycleConfiguration", configuration}};
  call.ask<s3::PutBucketLifecycleConfiguration>(
      request_of<s3::PutBucketLifecycleConfiguration>(call.resource, request));
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  // These properties have no effect here: buckets are private, and there are no keys and no
  // browsers.
  properties.ignore({"BucketEncryption", "OwnershipControls", "PublicAccessBlockConfiguration"});
  if (const auto access = properties.take_text("AccessControl"); access && access != "Private")
    throw not_simulated(call.resource.type, "The AccessControl " + *access);
  const auto given = properties.take_text("BucketName");
  const std::string name = given.value_or(generated_lower_name(call, kLongestName));
  Properties rest = properties;
  rest.ignore({"LifecycleConfiguration", "Tags"});
  rest.end();
  s3::CreateBucket::Request request{.bucket = name};
  if (call.region() != "us-east-1")
    request.create_bucket_configuration =
        api::s3::CreateBucketConfiguration{.location_constraint = call.region()};
  call.ask<s3::CreateBucket>(request);
  undo_on_failure(
      name,
      [&] {
        put_lifecycle(call, name, properties);
        put_tags(call, name, properties);
      },
      [&] { call.ask<s3::DeleteBucket>({.bucket = name}); });
  return name;
}

void update(const ResourceCall& call, const Json&) {
  Properties properties = call.properties();
  put_lifecycle(call, call.id(), properties);
  put_tags(call, call.id(), properties);
}

void remove(const ResourceCall& call) { call.ask<s3::DeleteBucket>({.bucket = call.id()}); }

Json attribute(const ResourceCall& call, const std::string& name) {
  const std::string& id = call.id();
  if (name == "Arn") return "arn:aws:s3:::" + id;
  if (name == "DomainName") return id + ".s3.amazonaws.com";
  if (name == "DualStackDomainName")
    return id + ".s3.dualstack." + call.region() + ".amazonaws.com";
  if (name == "RegionalDomainName") return id + ".s3." + call.region() + ".amazonaws.com";
  return "http://" + id + ".s3-website-" + call.region() + ".amazonaws.com";
}

}  // namespace

const Type kType{.traits = {.type = "AWS::S3::Bucket",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true,
                            .least = std::chrono::seconds(20)},
                 .create = create,
                 .remove = remove,
                 .attribute = attribute,
                 .update = update,
                 .changes = kChanges};

}  // namespace fakes::cloudformation::bucket
