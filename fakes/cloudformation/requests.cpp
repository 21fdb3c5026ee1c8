#include "fakes/cloudformation/requests.h"

#include <fmt/format.h>

#include <utility>

#include "api/percent.h"
#include "api/s3.h"
#include "fakes/cloudformation/ask.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::invalid;

// Limits of a template (CloudFormation User Guide, "AWS CloudFormation quotas").
constexpr std::size_t kLongestBody = 51'200, kLongestObject = 1'000'000;

struct ObjectName {
  std::string bucket, key;
};

// Whether a host is `spotsim serve` as in `aws --endpoint-url`: "127.0.0.1:5000", "localhost".
bool is_this_machine(std::string_view host) {
  host = host.substr(0, host.find(':'));
  return host == "localhost" || host.find_first_not_of("0123456789.") == host.npos;
}

// "https://s3.us-west-2.amazonaws.com/bucket/key", "https://bucket.s3.amazonaws.com/key", the older
// "s3-us-west-2", and "http://127.0.0.1:5000/bucket/key".
std::optional<ObjectName> object_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == url.npos || !url.starts_with("http")) return {};
  const bool is_safe = url.starts_with("https:");
  url.remove_prefix(scheme + 3);
  const auto slash = url.find('/');
  if (slash == url.npos) return {};
  const std::string_view host = url.substr(0, slash);
  std::string path = api::percent_decode(url.substr(slash + 1, url.find('?') - slash - 1), false);
  const bool is_here = is_this_machine(host);
  if (!is_here && (!is_safe || host.find(".amazonaws.com") == host.npos)) return {};
  if (is_here || host.starts_with("s3.") || host.starts_with("s3-")) {
    const auto end = path.find('/');
    if (end == path.npos) return {};
    return ObjectName{path.substr(0, end), path.substr(end + 1)};
  }
  const auto s3 = std::min(host.find(".s3."), host.find(".s3-"));
  if (s3 == host.npos) return {};
  return ObjectName{std::string(host.substr(0, s3)), std::move(path)};
}

// The caller needs the permission to read the template, unless the URL is presigned.
void check_readable(const Call& call, const ObjectName& name, const std::string& url) {
  if (call.identity == nullptr || url.find("Signature=") != url.npos) return;
  try {
    ask<api::s3::op::HeadObject>(call.backend, {.caller = caller_in(call)},
                                 {.bucket = name.bucket, .key = name.key});
  } catch (const ApiError& error) {
    if (is_denial(error.code()))
      throw invalid(
          "S3 error: Access Denied\nFor more information check "
          "http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html");
  }
}

std::string object_text(const Call& call, const std::string& url) {
  const auto name = object_of(url);
  if (!name) throw invalid("TemplateURL must be a supported URL.");
  check_readable(call, *name, url);
  try {
    const auto& object = call.backend.objects.object(name->bucket, name->key);
    if (object.body.size() > kLongestObject)
      throw invalid(fmt::format("Template may not exceed {} bytes in size.", kLongestObject));
    std::string text;
    sim::objects::each_part(
        object.body, [&](std::span<const char> part) { text.append(part.data(), part.size()); });
    return text;
  } catch (const ApiError& error) {
    if (error.code() == "ValidationError") throw;
    throw invalid("S3 error: " + std::string(error.what()));
  }
}

}  // namespace

std::optional<std::string> template_text(const Call& call, const api::Opt<std::string>& body,
                                         const api::Opt<std::string>& url) {
  if (body && url) throw invalid("Template URL and Template Body cannot both be specified.");
  if (url) return object_text(call, *url);
  if (body && body->size() > kLongestBody)
    throw invalid(fmt::format(
        "1 validation error detected: Value '{}' at 'templateBody' failed to satisfy constraint: "
        "Member must have length less than or equal to {}",
        body->substr(0, 100) + "...", kLongestBody));
  return body;
}

api::List<aws::Parameter> shown_parameters(const sim::stacks::Description& of) {
  api::List<aws::Parameter> shown;
  for (const auto& [name, value] : of.parameters.texts) {
    const auto* definition = of.of->parameter(name);
    const bool hidden = definition && definition->no_echo;
    aws::Parameter& one = shown.emplace_back();
    one.parameter_key = name;
    one.parameter_value = hidden ? "****" : value;
    if (const auto resolved = of.parameters.resolved.find(name);
        resolved != of.parameters.resolved.end())
      one.resolved_value = resolved->second;
  }
  return shown;
}

api::List<aws::Tag> shown_tags(const sim::stacks::Tags& tags) {
  api::List<aws::Tag> shown;
  for (const auto& [key, value] : tags) shown.push_back({.key = key, .value = value});
  return shown;
}

}  // namespace fakes::cloudformation
