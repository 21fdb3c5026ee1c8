#include "fakes/imds/credentials.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/iam_names.h"
#include "sim/events/event.h"
#include "sim/kernel/json_object.h"

namespace fakes {
namespace {

using sim::cloud::Instance;

// Temporary credentials are valid for six hours and are renewed an hour before they expire.
constexpr auto kRenewal = std::chrono::hours{5};
constexpr auto kLifetime = std::chrono::hours{6};

std::int64_t credentials_period(const Backend& backend, const Instance& instance, bool old) {
  const auto age = std::max(backend.simulation.now() - instance.launched_at, sim::Duration::zero());
  return age / kRenewal - (old ? 1 : 0);
}

// Lets the instance's role sign with these credentials. False: the role does not trust EC2.
bool admit(const Backend& backend, const Instance& instance, sim::iam::Session session,
           sim::Time issued) {
  const std::string role = role_name(backend, instance);
  sim::iam::Account& account = *backend.iam;
  if (!sim::iam::trusts_service(account.role(role).trust_policy, "ec2.amazonaws.com")) return false;
  session.caller = account.caller_of_role(role, instance.id.value);
  session.caller.instance = instance.id.value;
  session.caller.token_issued = issued;
  account.keep_session(std::move(session));
  return true;
}

// IAM User Guide, "Troubleshoot IAM and Amazon EC2".
std::string not_assumed(const std::string& role, sim::Time issued) {
  return sim::json_object({{"Code", "AssumeRoleUnauthorizedAccess"},
                           {"Message", "EC2 cannot assume the role " + role +
                                           ". Please see documentation at "
                                           "https://docs.aws.amazon.com/IAM/latest/UserGuide/"
                                           "troubleshoot_iam-ec2.html."},
                           {"LastUpdated", sim::iso_seconds(issued)}})
      .dump(2);
}

}  // namespace

sim::Time credentials_issued(const Backend& backend, const Instance& instance, bool old) {
  constexpr auto kExpiredFor = std::chrono::minutes{1};  // of the previous ones
  return old ? backend.simulation.now() - kLifetime - kExpiredFor
             : instance.launched_at + credentials_period(backend, instance, old) * kRenewal;
}

std::string role_credentials(const Backend& backend, const Instance& instance, bool old) {
  const auto period = credentials_period(backend, instance, old);
  const auto issued = credentials_issued(backend, instance, old);
  const auto part = [&](std::string_view name, int count) {
    return iam_characters(
        backend.streams.stream(name, fmt::format("{}/{}", instance.id.value, period)), count);
  };
  const sim::iam::Session session{.key_id = "ASIA" + part("access-key", 16),
                                  .secret = part("secret-key", 40),
                                  .token = part("session-token", 64),
                                  .expires = issued + kLifetime,
                                  .caller = {}};
  if (backend.iam->decides() && !admit(backend, instance, session, issued))
    return not_assumed(role_name(backend, instance), issued);
  return sim::json_object({{"Code", "Success"},
                           {"LastUpdated", sim::iso_seconds(issued)},
                           {"Type", "AWS-HMAC"},
                           {"AccessKeyId", session.key_id},
                           {"SecretAccessKey", session.secret},
                           {"Token", session.token},
                           {"Expiration", sim::iso_seconds(session.expires)}})
      .dump(2);
}

}  // namespace fakes
