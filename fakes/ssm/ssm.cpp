// AWS Systems Manager's parameters: the public ones that name images, and the account's secrets.
#include "api/ssm.h"

#include <fmt/format.h>

#include "base/text/base64.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/service.h"

namespace fakes {
namespace {

namespace ssm_op = api::ssm::op;
using ec2::ImageReleases;
using sim::cloud::ApiError;
using Parameters = std::map<std::string, ImageReleases>;

constexpr std::int64_t kMostOnAPage = 10;  // API reference, GetParametersByPath

api::ssm::Parameter shown_parameter(const Call& call, const std::string& name,
                                    const ImageReleases& releases, std::size_t version) {
  const ec2::ImageRelease& release = releases[version - 1];
  // Canonical gives its parameters the type of an image; Amazon's are plain text.
  const bool typed = name.starts_with("/aws/service/canonical/");
  return {.arn = fmt::format("arn:aws:ssm:{}::parameter{}", call.cloud.config().region, name),
          .data_type = typed ? "aws:ec2:image" : "text",
          .last_modified_date = api::Timestamp{release.since.time_since_epoch()},
          .name = name,
          .type = "String",
          .value = release.image_id,
          .version = static_cast<std::int64_t>(version)};
}

// Without decryption, the value is a text that does not depend on the secret.
api::ssm::Parameter shown_secret(const Call& call, const std::string& name,
                                 const ssm::Secret& secret, bool decrypted) {
  return {.arn = fmt::format("arn:aws:ssm:{}:{}:parameter{}", call.cloud.config().region,
                             call.cloud.config().account_id, name),
          .data_type = "text",
          .last_modified_date = api::Timestamp{secret.made.time_since_epoch()},
          .name = name,
          .type = "SecureString",
          .value = decrypted ? secret.value : base::base64_encode("encrypted " + name),
          .version = 1};
}

ApiError no_version(const ec2::NamedParameter& named) {
  return {"ParameterVersionNotFound",
          fmt::format("Systems Manager could not find version {} of {}. Verify the version and "
                      "try again.",
                      named.selector.substr(1), named.name)};
}

// Throws ParameterNotFound, whose message AWS leaves empty, or ParameterVersionNotFound.
api::ssm::Parameter asked_for(const Call& call, const Parameters& parameters,
                              const std::string& text, bool decrypted) {
  const ec2::NamedParameter named = ec2::named_parameter(call.backend, text);
  const auto& secrets = call.backend.secrets;
  if (const auto secret = secrets.find(named.name); secret != secrets.end()) {
    if (!named.selector.empty() && named.selector != ":1") throw no_version(named);
    return shown_secret(call, secret->first, secret->second, decrypted);
  }
  const auto found = parameters.find(named.name);
  if (found == parameters.end()) throw ApiError("ParameterNotFound", "");
  const auto version = version_of(found->second, named.selector);
  if (!version) throw no_version(named);
  api::ssm::Parameter shown = shown_parameter(call, found->first, found->second, *version);
  if (!named.selector.empty()) shown.selector = named.selector;
  return shown;
}

ssm_op::GetParameter::Response get_parameter(Call& call,
                                             const ssm_op::GetParameter::Request& request) {
  return {.parameter = asked_for(call, ec2::image_parameters(call.backend), request.name.value(),
                                 request.with_decryption.value_or(false))};
}

ssm_op::GetParameters::Response get_parameters(Call& call,
                                               const ssm_op::GetParameters::Request& request) {
  const Parameters parameters = ec2::image_parameters(call.backend);
  ssm_op::GetParameters::Response response;
  response.parameters.give();
  response.invalid_parameters.give();
  for (const std::string& name : request.names) {
    try {
      response.parameters.push_back(
          asked_for(call, parameters, name, request.with_decryption.value_or(false)));
    } catch (const ApiError&) {
      response.invalid_parameters.push_back(name);
    }
  }
  return response;
}

// Whether the path has the parameter, itself or at any depth.
bool is_below(const std::string& name, const std::string& path, bool at_any_depth) {
  if (!name.starts_with(path)) return false;
  return at_any_depth || name.find('/', path.size()) == name.npos;
}

std::map<std::string, api::ssm::Parameter> newest_parameters(const Call& call, bool decrypted) {
  std::map<std::string, api::ssm::Parameter> all;
  for (const auto& [name, releases] : ec2::image_parameters(call.backend))
    all[name] = shown_parameter(call, name, releases, releases.size());
  for (const auto& [name, secret] : call.backend.secrets)
    all[name] = shown_secret(call, name, secret, decrypted);
  return all;
}

ssm_op::GetParametersByPath::Response get_parameters_by_path(
    Call& call, const ssm_op::GetParametersByPath::Request& request) {
  std::string path = request.path.value();
  if (!path.starts_with('/'))
    throw ApiError("ValidationException",
                   "The parameter doesn't meet the parameter name requirements. The parameter "
                   "name must begin with a forward slash \"/\".");
  if (!path.ends_with('/')) path += '/';
  const auto last = base::base64_decode(request.next_token.value_or(""));
  if (!last) throw ApiError("InvalidNextToken", "The specified token is not valid.");
  const auto most = static_cast<std::size_t>(request.max_results.value_or(kMostOnAPage));
  const auto parameters = newest_parameters(call, request.with_decryption.value_or(false));
  ssm_op::GetParametersByPath::Response response;
  response.parameters.give();
  for (auto it = parameters.upper_bound(*last); it != parameters.end(); ++it) {
    if (!is_below(it->first, path, request.recursive.value_or(false))) continue;
    if (response.parameters.size() == most) {
      response.next_token = base::base64_encode(response.parameters.back().name.value());
      break;
    }
    response.parameters.push_back(it->second);
  }
  return response;
}

}  // namespace

const Service& ssm_service() {
  static const ActionRow rows[] = {action<ssm_op::GetParameter, get_parameter>(),
                                   action<ssm_op::GetParameters, get_parameters>(),
                                   action<ssm_op::GetParametersByPath, get_parameters_by_path>()};
  static const Service service{.model = api::ssm::kService, .actions = rows};
  return service;
}

}  // namespace fakes
