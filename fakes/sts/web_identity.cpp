#include "fakes/sts/web_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "api/form.h"
#include "base/json/json_text.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "fakes/authorisation/authorisation.h"
#include "sim/cloud/error.h"
#include "sim/iam/decision.h"

namespace fakes::sts {
namespace {

using nlohmann::json;
using sim::cloud::ApiError;

constexpr const char* kAction = "sts:AssumeRoleWithWebIdentity";

ApiError invalid_token(const std::string& why) { return {"InvalidIdentityToken", why}; }

// One part of a token: JSON in base64url without padding (RFC 7519, RFC 7515).
std::optional<json> part_of(std::string text) {
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const auto decoded = base::base64_decode(text);
  if (!decoded) return {};
  json value = json::parse(*decoded, nullptr, false);
  if (!value.is_object()) return {};
  return value;
}

std::vector<std::string> audiences_in(const json& payload) {
  const auto found = payload.find("aud");
  if (found == payload.end()) return {};
  if (found->is_string()) return {found->get<std::string>()};
  std::vector<std::string> all;
  if (found->is_array())
    for (const json& one : *found)
      if (one.is_string()) all.push_back(one.get<std::string>());
  return all;
}

json payload_of(const std::string& token) {
  const ApiError malformed = invalid_token(
      "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access "
      "Token)");
  const auto first = token.find('.'), second = token.find('.', first + 1);
  if (first == token.npos || second == token.npos || token.find('.', second + 1) != token.npos)
    throw malformed;
  const auto header = part_of(token.substr(0, first));
  auto payload = part_of(token.substr(first + 1, second - first - 1));
  if (!header || !payload) throw malformed;
  return std::move(*payload);
}

sim::Time expiry_in(const json& payload) {
  constexpr double kMost = 9e9;  // the year 2255
  const auto found = payload.find("exp");
  if (found == payload.end() || !found->is_number())
    throw invalid_token("Missing a required claim: exp");
  const double seconds = std::clamp(found->get<double>(), 0.0, kMost);
  return sim::Time{} + std::chrono::seconds{static_cast<std::int64_t>(seconds)};
}

// The values of the provider's condition keys (IAM User Guide, "Available keys for AWS OIDC
// federation"). Names are in lower case.
std::map<std::string, sim::iam::Values, std::less<>> keys_of_claims(const std::string& provider,
                                                                    const Claims& claims) {
  const std::string prefix = base::lower_case(provider) + ":";
  std::map<std::string, sim::iam::Values, std::less<>> keys{{prefix + "aud", {audience_of(claims)}},
                                                            {prefix + "sub", {claims.subject}},
                                                            {"aws:federatedprovider", {provider}}};
  if (!claims.authorized_party.empty()) keys[prefix + "oaud"] = claims.audiences;
  return keys;
}

}  // namespace

bool is_unsigned(const api::HttpRequest& request) {
  if (request.path != "/" || request.headers.find("authorization") != nullptr) return false;
  const std::string& form = request.method == "GET" ? request.query : request.body;
  if (request.query.find("X-Amz-Credential=") != std::string::npos) return false;
  constexpr std::string_view kField = "Action=AssumeRoleWithWebIdentity";
  const auto at = form.find(kField);
  if (at == form.npos || (at > 0 && form[at - 1] != '&')) return false;
  const auto end = at + kField.size();
  return end == form.size() || form[end] == '&';
}

Claims read_token(const Backend& backend, const std::string& token) {
  const json payload = payload_of(token);
  if (const char* const tags = "https://aws.amazon.com/tags"; payload.contains(tags))
    throw ApiError("UnsupportedOperation",
                   fmt::format("The claim {}: the tags of sessions in tokens are not part of this "
                               "simulated AWS.",
                               tags));
  Claims claims{.issuer = base::text_of(payload, "iss"),
                .subject = base::text_of(payload, "sub"),
                .audiences = audiences_in(payload),
                .authorized_party = base::text_of(payload, "azp"),
                .expires = expiry_in(payload)};
  const auto* const provider = backend.iam->open_id_provider_of(claims.issuer);
  if (provider == nullptr)
    throw invalid_token("No OpenIDConnect provider found in your account for " + claims.issuer);
  if (claims.subject.empty()) throw invalid_token("Missing a required claim: sub");
  if (claims.audiences.empty()) throw invalid_token("Missing a required claim: aud");
  if (std::ranges::find(provider->client_ids, audience_of(claims)) == provider->client_ids.end())
    throw invalid_token("Incorrect token audience");
  if (const sim::Time now = backend.simulation.now(); claims.expires <= now)
    throw ApiError(
        "ExpiredTokenException",
        fmt::format(
            "Token expired: current date/time {} must be before the expiration "
            "date/time {}",
            std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count(),
            std::chrono::floor<std::chrono::seconds>(claims.expires.time_since_epoch()).count()));
  return claims;
}

std::string audience_of(const Claims& claims) {
  return claims.authorized_party.empty() ? claims.audiences.front() : claims.authorized_party;
}

void check_trust(Backend& backend, const sim::iam::Role& role, const Claims& claims,
                 const api::Parameters& parameters, std::string_view name) {
  if (!backend.iam->decides()) return;
  const auto& provider = *backend.iam->open_id_provider_of(claims.issuer);
  const sim::iam::Caller caller{.kind = sim::iam::Caller::Kind::kWebIdentity,
                                .name = provider.arn,
                                .session = claims.subject,
                                .id = provider.name + ":" + claims.subject,
                                .arn = provider.arn,
                                .account = backend.iam->id()};
  const authorisation::RequestContext context{.backend = backend,
                                              .parameters = parameters,
                                              .is_global = true,
                                              .keys = keys_of_claims(provider.name, claims)};
  const authorisation::Permission permission{.action = kAction, .resource = role.arn};
  const authorisation::Subject subject{context, caller, permission};
  const sim::iam::ContextKeys keys = authorisation::keys_of(subject);
  const auto decision = sim::iam::decide_trust(sim::iam::compile_policy(role.trust_policy), {},
                                               {kAction, role.arn, keys}, caller);
  if (decision.allowed()) return;
  authorisation::log_denial(backend, {caller, name}, {permission, decision});
  throw ApiError("AccessDenied", fmt::format("Not authorized to perform {}", kAction), 403);
}

}  // namespace fakes::sts
