// Values of parameters: the account's own, and the public ones that name images.
#include <fmt/format.h>

#include <set>

#include "base/text/base64.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ssm/actions.h"
#include "fakes/ssm/filters.h"
#include "fakes/ssm/names.h"

namespace fakes::ssm {
namespace {

using ec2::ImageReleases;
using PublicParameters = std::map<std::string, ImageReleases>;

constexpr std::int64_t kMostOnAPage = 10;  // API reference, GetParametersByPath

api::ssm::Parameter shown_public(const Call& call, const std::string& name,
                                 const ImageReleases& releases, std::size_t version) {
  const ec2::ImageRelease& release = releases[version - 1];
  // Canonical gives its parameters the type of an image; Amazon's are plain text.
  const bool typed = name.starts_with("/aws/service/canonical/");
  return {.arn = fmt::format("arn:aws:ssm:{}::parameter{}", call.cloud.config().region, name),
          .data_type = typed ? "aws:ec2:image" : "text",
          .last_modified_date = timestamp(release.since),
          .name = name,
          .type = "String",
          .value = release.image_id,
          .version = static_cast<std::int64_t>(version)};
}

api::ssm::Parameter shown_own(const Call& call, const std::string& name,
                              const ParameterVersion& version, bool decrypted) {
  return {.arn = arn_of(call.backend, name),
          .data_type = version.data_type,
          .last_modified_date = timestamp(version.modified),
          .name = name,
          .type = version.type,
          .value = shown_value(name, version, decrypted),
          .version = version.number};
}

ApiError no_version(const ec2::NamedParameter& named) {
  return {"ParameterVersionNotFound",
          fmt::format("Systems Manager could not find version {} of {}. Verify the version and "
                      "try again.",
                      named.selector.substr(1), named.name)};
}

api::ssm::Parameter version_asked_for(const Call& call, const PublicParameters& parameters,
                                      const ec2::NamedParameter& named, bool decrypted) {
  if (const auto* const own = call.backend.parameters.find(named.name)) {
    const ParameterVersion* const version = own->selected(named.selector);
    if (version == nullptr) throw no_version(named);
    return shown_own(call, own->name, *version, decrypted);
  }
  const auto found = parameters.find(named.name);
  if (found == parameters.end()) throw ApiError("ParameterNotFound", "");
  const auto version = version_of(found->second, named.selector);
  if (!version) throw no_version(named);
  return shown_public(call, found->first, found->second, *version);
}

// Throws ValidationException, ParameterVersionNotFound, or ParameterNotFound, whose message AWS
// leaves empty.
api::ssm::Parameter asked_for(const Call& call, const PublicParameters& parameters,
                              const std::string& text, bool decrypted) {
  const ec2::NamedParameter named = ec2::named_parameter(call.backend, text);
  // An ARN of another region or account ends at its first colon, and is not found.
  if (named.name != "arn") check_characters(named.name);
  if (named.selector.find(':', 1) != std::string::npos) throw ApiError("ParameterNotFound", "");
  api::ssm::Parameter shown = version_asked_for(call, parameters, named, decrypted);
  if (!named.selector.empty()) shown.selector = named.selector;
  return shown;
}

op::GetParameter::Response get_parameter(Call& call, const op::GetParameter::Request& request) {
  return {.parameter = asked_for(call, ec2::image_parameters(call.backend), request.name.value(),
                                 request.with_decryption.value_or(false))};
}

op::GetParameters::Response get_parameters(Call& call, const op::GetParameters::Request& request) {
  const PublicParameters parameters = ec2::image_parameters(call.backend);
  op::GetParameters::Response response;
  response.parameters.give();
  response.invalid_parameters.give();
  std::set<std::string> seen;
  for (const std::string& name : request.names) {
    if (!seen.insert(name).second) continue;
    try {
      response.parameters.push_back(
          asked_for(call, parameters, name, request.with_decryption.value_or(false)));
    } catch (const ApiError&) {
      response.invalid_parameters.push_back(name);
    }
  }
  return response;
}

// The parameters of a path, by name. Public parameters have no types that filters select.
std::map<std::string, api::ssm::Parameter> parameters_in(
    const Call& call, const std::string& path, const op::GetParametersByPath::Request& request) {
  const bool recursive = request.recursive.value_or(false);
  std::map<std::string, api::ssm::Parameter> all;
  if (path.starts_with("/aws") && request.parameter_filters.empty())
    for (const auto& [name, releases] : ec2::image_parameters(call.backend))
      if (is_below(name, path, recursive))
        all[name] = shown_public(call, name, releases, releases.size());
  for (const auto& [name, own] : call.backend.parameters.all())
    if (is_below(name, path, recursive))
      if (const auto* const version = fitting_version(own, request.parameter_filters))
        all[name] = shown_own(call, name, *version, request.with_decryption.value_or(false));
  return all;
}

op::GetParametersByPath::Response get_parameters_by_path(
    Call& call, const op::GetParametersByPath::Request& request) {
  const std::string path = checked_path(request.path.value());
  check_filters(request.parameter_filters, FiltersOf::kPath);
  const auto most = static_cast<std::size_t>(request.max_results.value_or(kMostOnAPage));
  const auto parameters = parameters_in(call, path, request);
  op::GetParametersByPath::Response response;
  response.parameters.give();
  for (auto it = parameters.upper_bound(last_shown(request.next_token)); it != parameters.end();
       ++it) {
    if (response.parameters.size() == most) {
      response.next_token = base::base64_encode(response.parameters.back().name.value());
      break;
    }
    response.parameters.push_back(it->second);
  }
  return response;
}

}  // namespace

std::string arn_of(const Backend& backend, const std::string& name) {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:ssm:{}:{}:parameter{}", config.region, config.account_id,
                     rooted(name));
}

std::string shown_value(const std::string& name, const ParameterVersion& version, bool decrypted) {
  if (decrypted || version.type != "SecureString") return version.value;
  return base::base64_encode(fmt::format("encrypted {}:{}", name, version.number));
}

std::string last_shown(const api::Opt<std::string>& next_token) {
  const auto last = base::base64_decode(next_token.value_or(""));
  if (!last) throw ApiError("InvalidNextToken", "The specified token is not valid.");
  return *last;
}

std::vector<ActionRow> read_actions() {
  return {action<op::GetParameter, get_parameter>(), action<op::GetParameters, get_parameters>(),
          action<op::GetParametersByPath, get_parameters_by_path>()};
}

}  // namespace fakes::ssm
