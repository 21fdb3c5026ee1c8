// The common parts of roles, policies and profiles, and the initial state of an account.
#include "sim/iam/account.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::iam {
namespace {

// IAM User Guide, "IAM identifiers". An ID follows from the seed and from a name or an ARN.
struct IdRow {
  std::string_view kind, prefix, stream;
  bool by_name;
};
constexpr IdRow kIds[] = {{"user", "AIDA", "user-id", true},
                          {"group", "AGPA", "group-id", true},
                          {"role", "AROA", "role-id", true},
                          {"policy", "ANPA", "policy-id", false},
                          {"instance-profile", "AIPA", "instance-profile", false}};

constexpr std::string_view kEc2Trust =
    R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":)"
    R"({"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]})";

}  // namespace

std::string random_characters(Stream stream, int count) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  for (int i = 0; i < count; ++i) text += kAlphabet[stream.below(kAlphabet.size())];
  return text;
}

Account::Account(const Simulation& simulation, const Streams& streams, std::string account_id)
    : simulation_(simulation),
      streams_(streams),
      account_id_(std::move(account_id)),
      created_(simulation.now()) {}

// An entity that is created again under the same name gets another ID.
void Account::identify(Entity& entity, std::string_view kind) {
  const IdRow& row = *std::ranges::find(kIds, kind, &IdRow::kind);
  check_path(entity.path);
  check_tags(entity.tags);
  entity.arn = fmt::format("arn:aws:iam::{}:{}{}{}", account_id_, kind, entity.path, entity.name);
  const int before = made_[entity.arn]++;
  const std::string again = before > 0 ? fmt::format("/{}", before) : "";
  const std::string& key = row.by_name ? entity.name : entity.arn;
  entity.id = fmt::format("{}{}", row.prefix,
                          random_characters(streams_.stream(row.stream, key + again), 17));
  entity.created = std::chrono::floor<std::chrono::seconds>(simulation_.now());
}

void Account::begin_with(const std::vector<std::string>& instance_profiles) {
  for (const std::string& name : instance_profiles) begin_with_profile(name);
  knows_all_profiles_ = true;
}

const InstanceProfile* Account::instance_profile_for_launch(const std::string& name_or_arn) {
  const InstanceProfile* const found = find_instance_profile(name_or_arn);
  return found == nullptr && !knows_all_profiles_ ? &begin_with_profile(name_or_arn) : found;
}

// Consoles and tools give the role the profile's name. An ARN of another account is kept unchanged.
const InstanceProfile& Account::begin_with_profile(const std::string& name_or_arn) {
  const std::string name = name_or_arn.substr(name_or_arn.rfind('/') + 1);  // npos + 1 is 0
  Role role;
  role.name = name;
  role.trust_policy = kEc2Trust;
  identify(role, "role");
  roles_.try_emplace(name, std::move(role));
  InstanceProfile profile;
  profile.name = name;
  profile.role = name;
  identify(profile, "instance-profile");
  if (name_or_arn.starts_with("arn:")) profile.arn = name_or_arn;
  return profiles_.insert_or_assign(name, std::move(profile)).first->second;
}

}  // namespace sim::iam
