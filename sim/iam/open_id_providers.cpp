// OpenID Connect providers, whose tokens AssumeRoleWithWebIdentity accepts (IAM User Guide, "Create
// an OpenID Connect (OIDC) identity provider in IAM").
#include <fmt/format.h>

#include <algorithm>

#include "sim/iam/account.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

constexpr std::string_view kScheme = "https://";

void check_thumbprints(const std::vector<std::string>& all) {
  if (all.size() > quotas::kThumbprintsPerProvider)
    throw ApiError("InvalidInput", fmt::format("Thumbprint list must contain at most {} entries.",
                                               quotas::kThumbprintsPerProvider));
}

void check_client_id(const std::string& id) {
  constexpr std::size_t kMost = 255;
  if (id.empty() || id.size() > kMost)
    throw ApiError("ValidationError",
                   fmt::format("A client ID has 1 to {} characters: found {}.", kMost, id.size()));
}

}  // namespace

const OpenIdProvider& Account::open_id_provider(const std::string& arn) const {
  for (const auto& [name, provider] : open_id_providers_)
    if (provider.arn == arn) return provider;
  throw no_such_entity(fmt::format("OpenIDConnect Provider not found for arn {}", arn));
}

OpenIdProvider& Account::find_open_id_provider(const std::string& arn) {
  return const_cast<OpenIdProvider&>(open_id_provider(arn));
}

const OpenIdProvider* Account::open_id_provider_of(std::string_view issuer) const {
  if (!issuer.starts_with(kScheme)) return nullptr;
  const auto found = open_id_providers_.find(issuer.substr(kScheme.size()));
  return found == open_id_providers_.end() ? nullptr : &found->second;
}

const OpenIdProvider& Account::create_open_id_provider(const std::string& url,
                                                       OpenIdProvider provider) {
  if (!url.starts_with(kScheme) || url.size() == kScheme.size() ||
      url.find_first_of("?#@ ") != url.npos)
    throw ApiError("ValidationError", fmt::format("Invalid Open ID Connect Provider URL: {}", url));
  provider.name = url.substr(kScheme.size());
  if (open_id_providers_.contains(provider.name))
    throw already_exists(fmt::format("Provider with url {} already exists.", url));
  if (open_id_providers_.size() >= quotas::kOpenIdProviders)
    throw limit_exceeded("OpenIdConnectProvidersPerAccount", quotas::kOpenIdProviders);
  if (provider.client_ids.size() > quotas::kClientIdsPerProvider)
    throw limit_exceeded("ClientIdsPerOpenIdConnectProvider", quotas::kClientIdsPerProvider);
  for (const std::string& id : provider.client_ids) check_client_id(id);
  check_thumbprints(provider.thumbprints);
  check_tags(provider.tags);
  provider.arn = fmt::format("arn:aws:iam::{}:oidc-provider/{}", account_id_, provider.name);
  provider.created = std::chrono::floor<std::chrono::seconds>(simulation_.now());
  const std::string name = provider.name;
  return open_id_providers_.emplace(name, std::move(provider)).first->second;
}

void Account::delete_open_id_provider(const std::string& arn) {
  std::erase_if(open_id_providers_, [&](const auto& entry) { return entry.second.arn == arn; });
}

void Account::tag_open_id_provider(const std::string& arn, const Tags& tags) {
  merge_tags(find_open_id_provider(arn), tags);
}

void Account::untag_open_id_provider(const std::string& arn, const std::vector<std::string>& keys) {
  erase_tags(find_open_id_provider(arn), keys);
}

void Account::add_client_id(const std::string& arn, const std::string& id) {
  std::vector<std::string>& ids = find_open_id_provider(arn).client_ids;
  if (std::ranges::find(ids, id) != ids.end()) return;
  if (ids.size() >= quotas::kClientIdsPerProvider)
    throw limit_exceeded("ClientIdsPerOpenIdConnectProvider", quotas::kClientIdsPerProvider);
  check_client_id(id);
  ids.push_back(id);
}

void Account::remove_client_id(const std::string& arn, const std::string& id) {
  std::erase(find_open_id_provider(arn).client_ids, id);
}

void Account::set_thumbprints(const std::string& arn, std::vector<std::string> thumbprints) {
  check_thumbprints(thumbprints);
  find_open_id_provider(arn).thumbprints = std::move(thumbprints);
}

}  // namespace sim::iam
