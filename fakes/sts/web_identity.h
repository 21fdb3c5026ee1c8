// Tokens of OpenID Connect providers, with which AssumeRoleWithWebIdentity is called (IAM User
// Guide, "Create a role for OpenID Connect federation"). GitHub Actions and EKS's service accounts
// use them.
#pragma once

#include <string>
#include <vector>

#include "api/http.h"
#include "fakes/authorisation/context.h"
#include "sim/iam/entities.h"

namespace fakes::sts {

// Whether the request is an AssumeRoleWithWebIdentity without a signature, which needs none.
bool is_unsigned(const api::HttpRequest& request);

// What a JSON web token claims.
struct Claims {
  std::string issuer, subject;
  std::vector<std::string> audiences;
  std::string authorized_party;  // azp: the client ID, if the token has it
  sim::Time expires{};
};

// The claims of a token whose provider the account has. Checks the token's form, `iss`, `aud` and
// `exp`. It cannot verify the token's signature, because the provider's keys are not known. Throws
// ApiError InvalidIdentityToken and ExpiredTokenException.
Claims read_token(const Backend& backend, const std::string& token);
// The provider's client ID that the token is for.
std::string audience_of(const Claims& claims);

// Throws AccessDenied unless the role's trust policy lets the token's subject assume the role,
// where IAM decides. The policy's conditions can name the claims, such as
// "token.actions.githubusercontent.com:sub". Logs iam.denied.
void check_trust(Backend& backend, const sim::iam::Role& role, const Claims& claims,
                 const api::Parameters& parameters, std::string_view caller);

}  // namespace fakes::sts
