// Access keys, temporary credentials, and the callers that they stand for.
#include <fmt/format.h>

#include <algorithm>

#include "sim/iam/account.h"
#include "sim/iam/quotas.h"

namespace sim::iam {
namespace {

// Expired credentials are refused as expired for this time, and then as unknown.
constexpr Duration kRemembered = std::chrono::hours{24};
// A scenario's role is for instances, fleets, training jobs and experiments.
constexpr std::string_view kServicesTrust =
    R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":)"
    R"(["ec2.amazonaws.com","fis.amazonaws.com","sagemaker.amazonaws.com",)"
    R"("spotfleet.amazonaws.com"]},"Action":"sts:AssumeRole"}]})";
constexpr std::string_view kAdministrator = "arn:aws:iam::aws:policy/AdministratorAccess";

}  // namespace

// ---- access keys

const AccessKey& Account::create_access_key(const std::string& user_name) {
  const User& owner = user(user_name);
  if (access_keys(user_name).size() >= quotas::kAccessKeysPerUser)
    throw limit_exceeded("AccessKeysPerUser", quotas::kAccessKeysPerUser);
  const std::string which = fmt::format("{}/{}", owner.id, made_["access-key/" + owner.id]++);
  AccessKey key{.id = "AKIA" + random_characters(streams_.stream("user-access-key", which), 16),
                .secret = random_characters(streams_.stream("user-secret-key", which), 40),
                .user = owner.name,
                .created = std::chrono::floor<std::chrono::seconds>(simulation_.now())};
  const std::string id = key.id;
  return keys_.emplace(id, std::move(key)).first->second;
}

std::vector<const AccessKey*> Account::access_keys(const std::string& user_name) const {
  const std::string& name = user(user_name).name;
  std::vector<const AccessKey*> found;
  for (const auto& [id, key] : keys_)
    if (key.user == name) found.push_back(&key);
  std::ranges::stable_sort(found, {}, [](const AccessKey* key) { return key->created; });
  return found;
}

const AccessKey* Account::find_access_key(std::string_view id) const {
  const auto found = keys_.find(id);
  return found == keys_.end() ? nullptr : &found->second;
}

AccessKey& Account::own_key(const std::string& user_name, const std::string& id) {
  const std::string& name = user(user_name).name;
  const auto found = keys_.find(id);
  if (found == keys_.end() || found->second.user != name)
    throw no_such_entity(fmt::format("The Access Key with id {} cannot be found.", id));
  return found->second;
}

void Account::set_access_key_active(const std::string& user_name, const std::string& id,
                                    bool active) {
  own_key(user_name, id).is_active = active;
}

void Account::delete_access_key(const std::string& user_name, const std::string& id) {
  own_key(user_name, id);
  keys_.erase(keys_.find(id));
}

void Account::use_access_key(std::string_view id, const std::string& service,
                             const std::string& region) {
  const auto session = sessions_.find(id);
  if (session != sessions_.end() && session->second.caller.kind == Caller::Kind::kRole)
    use_role(session->second.caller.name, region);
  const auto found = keys_.find(id);
  if (found == keys_.end()) return;
  found->second.last_used = simulation_.now();
  found->second.last_service = service;
  found->second.last_region = region;
}

void Account::use_role(const std::string& name, const std::string& region) {
  const auto found = roles_.find(name);
  if (found == roles_.end()) return;
  found->second.last_used = simulation_.now();
  found->second.last_region = region;
}

// ---- temporary credentials

const Session& Account::open_session(Caller caller, Duration lifetime) {
  const std::string which = fmt::format("{}", made_["session"]++);
  caller.token_issued = simulation_.now();
  Session session{
      .key_id = "ASIA" + random_characters(streams_.stream("sts-key", which), 16),
      .secret = random_characters(streams_.stream("sts-secret", which), 40),
      .token = "IQoJb3JpZ2luX2Vj" + random_characters(streams_.stream("sts-token", which), 64),
      .expires = std::chrono::floor<std::chrono::seconds>(simulation_.now()) + lifetime,
      .caller = std::move(caller)};
  const std::string id = session.key_id;
  keep_session(std::move(session));
  return sessions_.at(id);
}

void Account::keep_session(Session session) {
  const Time now = simulation_.now();
  std::erase_if(sessions_,
                [&](const auto& entry) { return entry.second.expires + kRemembered < now; });
  const std::string id = session.key_id;
  sessions_.insert_or_assign(id, std::move(session));
}

const Session* Account::find_session(std::string_view key_id) const {
  const auto found = sessions_.find(key_id);
  return found == sessions_.end() ? nullptr : &found->second;
}

// ---- callers

Caller Account::root() const {
  return {.kind = Caller::Kind::kRoot,
          .id = account_id_,
          .arn = fmt::format("arn:aws:iam::{}:root", account_id_),
          .account = account_id_};
}

Caller Account::caller_of_user(const std::string& name) const {
  const User& found = user(name);
  return {.kind = Caller::Kind::kUser,
          .name = found.name,
          .id = found.id,
          .arn = found.arn,
          .account = account_id_};
}

Caller Account::federated_caller(Caller caller, const std::string& session) const {
  caller.kind = Caller::Kind::kFederated;
  caller.session = session;
  caller.id = fmt::format("{}:{}", account_id_, session);
  caller.arn = fmt::format("arn:aws:sts::{}:federated-user/{}", account_id_, session);
  return caller;
}

Caller Account::caller_of_role(const std::string& name, const std::string& session) const {
  const Role& found = role(name);
  return {
      .kind = Caller::Kind::kRole,
      .name = found.name,
      .session = session,
      .id = fmt::format("{}:{}", found.id, session),
      .arn = fmt::format("arn:aws:sts::{}:assumed-role/{}/{}", account_id_, found.name, session),
      .account = account_id_};
}

// ---- decisions

// The operator is an administrator with a known key, unless the scenario limits it.
void Account::set_deciding(Deciding deciding) {
  deciding_ = deciding;
  if (!deciding.policies) return;
  knows_all_profiles_ = true;
  const std::string name(kOperator);
  if (!users_.contains(name)) {
    User user;
    user.name = name;
    create_user(std::move(user));
    attach_policy(Owner::kUser, name, std::string(kAdministrator));
  }
  keys_.insert_or_assign(std::string(kOperatorKey),
                         AccessKey{.id = std::string(kOperatorKey),
                                   .secret = std::string(kOperatorSecret),
                                   .user = name,
                                   .created = simulation_.now()});
}

void Account::begin_with_policies(const std::map<std::string, std::string>& documents) {
  for (const auto& [name, document] : documents) {
    if (name == kOperator && deciding_.policies) {
      detach_policy(Owner::kUser, name, std::string(kAdministrator));
      put_policy(Owner::kUser, name, "scenario", document);
    } else {
      if (find_instance_profile(name) == nullptr) {
        begin_with_profile(name);
        set_trust_policy(name, std::string(kServicesTrust));
      }
      put_policy(Owner::kRole, name, "scenario", document);
    }
  }
}

namespace {

std::shared_ptr<const CompiledPolicy> compiled(const std::string& document) {
  return std::make_shared<const CompiledPolicy>(compile_policy(document));
}

void add_policies(const Account& account, const Identity& identity, std::string_view type,
                  PolicySet& set) {
  for (const auto& [name, document] : identity.inline_policies)
    set.identity.push_back({name, std::string(type), compiled(document)});
  for (const std::string& arn : identity.attached_policies) {
    const Policy& policy = account.policy(arn);
    set.identity.push_back({policy.name, policy.is_aws_managed ? "aws-managed" : "user-managed",
                            compiled(policy.document())});
  }
}

PolicySet compile_for(const Account& account, const Caller& caller) {
  PolicySet set;
  if (caller.kind == Caller::Kind::kRoot) {
    set.all_allowed = true;
    return set;
  }
  const Identity* identity = nullptr;
  if (caller.is_of_user()) {
    const auto user = account.users().find(caller.name);
    if (user == account.users().end()) return set;  // deleted: nothing is allowed
    identity = &user->second;
    add_policies(account, user->second, "user", set);
    for (const std::string& group : user->second.groups)
      add_policies(account, account.group(group), "group", set);
  } else {
    const auto role = account.roles().find(caller.name);
    if (role == account.roles().end()) return set;  // deleted: nothing is allowed
    identity = &role->second;
    add_policies(account, role->second, "role", set);
  }
  if (const std::string& arn = identity->permissions_boundary; !arn.empty())
    set.boundary.push_back({arn, "none", compiled(account.policy(arn).document())});
  for (const std::string& document : caller.session_policies)
    set.session.push_back({"session", "none", compiled(document)});
  // Without a session policy, a federated user has no permissions.
  if (caller.kind == Caller::Kind::kFederated && set.session.empty())
    set.session.push_back({"session", "none", std::make_shared<const CompiledPolicy>()});
  return set;
}

}  // namespace

// The key has all that compile_for() reads. The ARN of a federated user does not name the user who
// opened the session.
const PolicySet& Account::policies_of(const Caller& caller) const {
  constexpr std::size_t kMostCompiled = 1000;
  std::string key = fmt::format("{}\n{}", static_cast<int>(caller.kind), caller.name);
  for (const std::string& document : caller.session_policies) key += '\n' + document;
  const auto found = compiled_.find(key);
  if (found != compiled_.end()) return found->second;
  if (compiled_.size() >= kMostCompiled) compiled_.clear();
  return compiled_.emplace(std::move(key), compile_for(*this, caller)).first->second;
}

}  // namespace sim::iam
