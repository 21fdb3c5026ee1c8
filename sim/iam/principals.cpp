// The principals that policies name (IAM User Guide, "AWS JSON policy elements: Principal").
#include <algorithm>
#include <ranges>

#include "sim/iam/account.h"
#include "sim/iam/policy.h"

namespace sim::iam {
namespace {

bool is_account_id(std::string_view text) {
  return text.size() == 12 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// IAM shows the ID of a user or role that was deleted in place of its ARN.
bool is_unique_id(std::string_view text) {
  return text.starts_with("AIDA") || text.starts_with("AROA");
}

// The operator's role is the caller for keys that IAM does not know, and is no entity.
bool is_operator(std::string_view name) {
  return name == "role/operator" || name == "user/operator";
}

}  // namespace

bool Account::has_principal(std::string_view principal) const {
  if (principal == "*" || is_account_id(principal) || is_unique_id(principal)) return true;
  constexpr std::string_view kIam = "arn:aws:iam::", kSts = "arn:aws:sts::";
  if (principal.starts_with(kSts)) return true;
  if (!principal.starts_with(kIam)) return false;
  const std::string own = account_id_ + ":";
  const std::string_view rest = principal.substr(kIam.size());
  if (!rest.starts_with(own)) return true;
  const std::string_view name = rest.substr(own.size());
  const auto has_arn = [&](const auto& entity) { return entity.arn == principal; };
  return name == "root" || is_operator(name) ||
         std::ranges::any_of(users_ | std::views::values, has_arn) ||
         std::ranges::any_of(roles_ | std::views::values, has_arn);
}

std::string Account::invalid_principal(const std::string& document) const try {
  for (const Statement& statement : compile_policy(document).statements)
    for (const PrincipalPattern& named : statement.principals)
      if (named.type == "AWS" && !has_principal(named.value)) return named.value;
  return "";
} catch (const ApiError&) {
  return "";
}

}  // namespace sim::iam
