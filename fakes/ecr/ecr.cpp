// Amazon ECR's repositories, and the password with which docker logs in.
#include "api/ecr.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/base64.h"
#include "fakes/iam_names.h"
#include "fakes/key_page.h"
#include "fakes/service.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

constexpr auto kTokenLife = std::chrono::hours{12};  // API reference, GetAuthorizationToken
constexpr std::int64_t kMostRepositories = 100;
constexpr const char* kName = "(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+(?:[._-][a-z0-9]+)*";

// True if the name has the form of kName: words, joined by single marks.
bool is_repository_name(std::string_view name) {
  bool after_word = false;
  for (const char c : name) {
    const bool of_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool joins = c == '.' || c == '_' || c == '-' || c == '/';
    if (!of_word && !(joins && after_word)) return false;
    after_word = of_word;
  }
  return after_word;
}

const std::string& own_id(const Call& call) { return call.cloud.config().account_id; }

ApiError no_such_repository(const std::string& name, const std::string& registry) {
  return ApiError("RepositoryNotFoundException",
                  fmt::format("The repository with name '{}' does not exist in the registry with "
                              "id '{}'",
                              name, registry));
}

std::string host_of(const Call& call, const std::string& registry) {
  return fmt::format("{}.dkr.ecr.{}.amazonaws.com", registry, call.cloud.config().region);
}

api::ecr::Repository shown_repository(const Call& call, const std::string& name,
                                      const ecr::Repository& repository) {
  const std::string& id = own_id(call);
  return {.created_at = timestamp(repository.created),
          .encryption_configuration =
              api::ecr::EncryptionConfiguration{
                  .encryption_type = repository.encryption,
                  .kms_key = repository.key.empty() ? std::nullopt : std::optional(repository.key)},
          .image_scanning_configuration =
              api::ecr::ImageScanningConfiguration{.scan_on_push = repository.scan_on_push},
          .image_tag_mutability = repository.tag_mutability,
          .registry_id = id,
          .repository_arn =
              fmt::format("arn:aws:ecr:{}:{}:repository/{}", call.cloud.config().region, id, name),
          .repository_name = name,
          .repository_uri = host_of(call, id) + "/" + name};
}

api::ecr::op::CreateRepository::Response create_repository(
    Call& call, const api::ecr::op::CreateRepository::Request& request) {
  const std::string& name = request.repository_name.value();
  if (!is_repository_name(name))
    throw ApiError(
        "InvalidParameterException",
        fmt::format("Invalid parameter at 'repositoryName' failed to satisfy constraint: "
                    "'must satisfy regular expression '{}''",
                    kName));
  if (request.registry_id.value_or(own_id(call)) != own_id(call))
    throw ApiError("AccessDeniedException",
                   fmt::format("Registry {} is another account's.", *request.registry_id));
  ecr::Repository made{.created = call.now,
                       .tag_mutability = request.image_tag_mutability.value_or("MUTABLE")};
  if (const auto& encryption = request.encryption_configuration) {
    made.encryption = encryption->encryption_type.value();
    made.key = encryption->kms_key.value_or("");
  }
  if (const auto& scanning = request.image_scanning_configuration)
    made.scan_on_push = scanning->scan_on_push.value_or(false);
  const auto [place, fresh] = call.backend.registry.emplace(name, std::move(made));
  if (!fresh)
    throw ApiError("RepositoryAlreadyExistsException",
                   fmt::format("The repository with name '{}' already exists in the registry with "
                               "id '{}'",
                               name, own_id(call)));
  return {.repository = shown_repository(call, name, place->second)};
}

api::ecr::op::DescribeRepositories::Response describe_repositories(
    Call& call, const api::ecr::op::DescribeRepositories::Request& request) {
  const ecr::Registry& registry = call.backend.registry;
  const std::string id = request.registry_id.value_or(own_id(call));
  api::ecr::op::DescribeRepositories::Response response;
  response.repositories.give();
  for (const std::string& name : request.repository_names) {
    const auto found = registry.find(name);
    if (found == registry.end() || id != own_id(call)) throw no_such_repository(name, id);
    response.repositories.push_back(shown_repository(call, name, found->second));
  }
  if (!request.repository_names.empty() || id != own_id(call)) return response;
  response.next_token = add_page(
      {.token = request.next_token.value_or(""),
       .most = request.max_results.value_or(kMostRepositories),
       .refusal = {"InvalidParameterException",
                   "Invalid parameter at 'nextToken' failed to satisfy constraint: 'must be a "
                   "token of an answer before'"}},
      registry, [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        response.repositories.push_back(shown_repository(call, entry.first, entry.second));
      });
  return response;
}

api::ecr::op::DeleteRepository::Response delete_repository(
    Call& call, const api::ecr::op::DeleteRepository::Request& request) {
  const std::string& name = request.repository_name.value();
  const std::string id = request.registry_id.value_or(own_id(call));
  const auto found = call.backend.registry.find(name);
  if (found == call.backend.registry.end() || id != own_id(call))
    throw no_such_repository(name, id);
  api::ecr::op::DeleteRepository::Response response{
      .repository = shown_repository(call, name, found->second)};
  call.backend.registry.erase(found);
  return response;
}

// One entry for each requested registry, with the same password for all.
api::ecr::op::GetAuthorizationToken::Response get_authorization_token(
    Call& call, const api::ecr::op::GetAuthorizationToken::Request& request) {
  constexpr int kCharacters = 160;
  const std::string password = base::base64_encode(iam_characters(
      call.backend.streams.stream("ecr-token", sim::iso_nanoseconds(call.now)), kCharacters));
  std::vector<std::string> ids = request.registry_ids;
  if (ids.empty()) ids.push_back(own_id(call));
  api::ecr::op::GetAuthorizationToken::Response response;
  for (const std::string& id : ids)
    response.authorization_data.push_back(
        {.authorization_token = base::base64_encode("AWS:" + password),
         .expires_at = timestamp(call.now + kTokenLife),
         .proxy_endpoint = "https://" + host_of(call, id)});
  return response;
}

}  // namespace

const Service& ecr_service() {
  static const ActionRow rows[] = {
      action<api::ecr::op::CreateRepository, create_repository>(),
      action<api::ecr::op::DeleteRepository, delete_repository>(),
      action<api::ecr::op::DescribeRepositories, describe_repositories>(),
      action<api::ecr::op::GetAuthorizationToken, get_authorization_token>()};
  static const Service service{.model = api::ecr::kService, .actions = rows, .host = "api.ecr"};
  return service;
}

}  // namespace fakes
