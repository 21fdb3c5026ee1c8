// AWS Identity and Access Management: the users, groups, roles, policies, instance profiles and
// credentials of one account, for all regions. The account stores policies and checks their form.
// Policies decide about calls only if the account says so (decides()).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/iam/caller.h"
#include "sim/iam/decision.h"
#include "sim/iam/entities.h"
#include "sim/iam/names.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::iam {

// Characters of IAM's alphabet, A–Z and 2–7.
std::string random_characters(Stream stream, int count);

// The owners of inline and attached policies.
enum class Owner { kUser, kGroup, kRole };

// The access key that operators have, in scenarios and for clients of `serve`.
inline constexpr std::string_view kOperator = "operator";
inline constexpr std::string_view kOperatorKey = "AKIAIOSFODNN7EXAMPLE";
inline constexpr std::string_view kOperatorSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

// A list of the users and their credentials, which is made by request (credential_report.h).
struct CredentialReport {
  Time generated{};
  std::string csv = {};
};

// Whether IAM decides about calls, and what it can rely on.
struct Deciding {
  bool policies = false;      // policies and signatures are evaluated
  bool clients_time = false;  // clients have the simulation's clock, so a signature's time counts
};

// Owns the entities and checks the rules of their names, quotas and relations. fakes/iam parses
// requests and calls this class. EC2, STS and the metadata service read instance profiles from it.
//
// All functions throw ApiError with IAM's codes: NoSuchEntity, EntityAlreadyExists, DeleteConflict,
// LimitExceeded, MalformedPolicyDocument, UnmodifiableEntity, ValidationError.
class Account {
 public:
  // Both references must outlive the account.
  Account(const Simulation& simulation, const Streams& streams, std::string account_id);

  // ---- roles
  const ByName<Role>& roles() const { return roles_; }
  const Role& role(const std::string& name) const;
  const Role* find_role_by_arn(std::string_view arn) const;  // null: there is none
  // Sets ID, ARN and time of the new role, and takes the rest from `role`.
  const Role& create_role(Role role);
  // `service` is for example "spot.amazonaws.com". Throws InvalidInput if the account has the role.
  const Role& create_service_linked_role(const std::string& service, const std::string& suffix,
                                         const std::string& description);
  // Deletes the role at once. Returns the ID of the deletion, by which its status is asked.
  std::string delete_service_linked_role(const std::string& name);
  // Throws NoSuchEntity for an ID that delete_service_linked_role() never returned.
  void check_deletion(const std::string& id) const;
  void update_role(const std::string& name, const std::optional<std::string>& description,
                   std::optional<int> max_session_seconds);
  void set_trust_policy(const std::string& name, const std::string& document);
  void delete_role(const std::string& name);
  void tag_role(const std::string& name, const Tags& tags);
  void untag_role(const std::string& name, const std::vector<std::string>& keys);

  // ---- users
  const ByName<User>& users() const { return users_; }
  const User& user(const std::string& name) const;
  const User& create_user(User user);
  void rename_user(const std::string& name, const std::string& new_name,
                   const std::string& new_path);  // empty: as before
  void delete_user(const std::string& name);
  void tag_user(const std::string& name, const Tags& tags);
  void untag_user(const std::string& name, const std::vector<std::string>& keys);
  void set_login(const std::string& user, std::optional<Login> login);

  // ---- groups
  const ByName<Group>& groups() const { return groups_; }
  const Group& group(const std::string& name) const;
  const Group& create_group(Group group);
  void rename_group(const std::string& name, const std::string& new_name,
                    const std::string& new_path);
  void delete_group(const std::string& name);
  void add_to_group(const std::string& group, const std::string& user);
  void remove_from_group(const std::string& group, const std::string& user);
  std::vector<const User*> users_in(const std::string& group) const;

  // ---- policies of users, groups and roles
  const Identity& identity(Owner owner, const std::string& name) const;
  void put_policy(Owner owner, const std::string& name, const std::string& policy,
                  const std::string& document);
  const std::string& inline_policy(Owner owner, const std::string& name,
                                   const std::string& policy) const;
  void delete_inline_policy(Owner owner, const std::string& name, const std::string& policy);
  void attach_policy(Owner owner, const std::string& name, const std::string& policy_arn);
  void detach_policy(Owner owner, const std::string& name, const std::string& policy_arn);
  // An empty ARN removes the boundary.
  void set_permissions_boundary(Owner owner, const std::string& name,
                                const std::string& policy_arn);

  // ---- credentials
  const AccessKey& create_access_key(const std::string& user);
  std::vector<const AccessKey*> access_keys(const std::string& user) const;
  // The key with this ID, or null if there is none.
  const AccessKey* find_access_key(std::string_view id) const;
  void set_access_key_active(const std::string& user, const std::string& id, bool active);
  void delete_access_key(const std::string& user, const std::string& id);
  // Notes the last use of a user's key, or of the role that has the temporary credentials.
  void use_access_key(std::string_view id, const std::string& service, const std::string& region);
  void use_role(const std::string& name, const std::string& region);
  // Temporary credentials for the caller. Their text follows from the seed and their number.
  const Session& open_session(Caller caller, Duration lifetime);
  // Adds temporary credentials that another part made: those of instance metadata.
  void keep_session(Session session);
  const Session* find_session(std::string_view key_id) const;

  // ---- callers
  Caller root() const;
  Caller caller_of_user(const std::string& user) const;
  Caller caller_of_role(const std::string& role, const std::string& session) const;
  // A session that a user opens for somebody (GetFederationToken).
  Caller federated_caller(Caller user, const std::string& session) const;

  // ---- decisions
  void set_deciding(Deciding deciding);
  bool decides() const { return deciding_.policies; }
  const Deciding& deciding() const { return deciding_; }
  // The policies of a caller. The reference stays valid until the account changes.
  const PolicySet& policies_of(const Caller& caller) const;
  const std::string& id() const { return account_id_; }
  Time created() const { return created_; }
  std::string& alias() { return alias_; }
  // The newest credential report. Empty: none was requested.
  std::optional<CredentialReport>& credential_report() { return credential_report_; }

  // The first principal in the policy that IAM cannot find, or "": a user or role of this account
  // that does not exist, or no form of a principal. Principals of other accounts are accepted,
  // because those are unknown here, and so are sessions and unique IDs. "" also for a document
  // that is no policy.
  std::string invalid_principal(const std::string& document) const;

  // ---- managed policies
  // The account's own policies and AWS's managed policies.
  std::vector<const Policy*> policies() const;
  const Policy& policy(const std::string& arn) const;
  const PolicyVersion& policy_version(const std::string& arn, const std::string& version) const;
  std::vector<const Role*> roles_with(const std::string& policy_arn) const;
  std::vector<const User*> users_with(const std::string& policy_arn) const;
  std::vector<const Group*> groups_with(const std::string& policy_arn) const;
  const Policy& create_policy(Policy policy, const std::string& document);
  // Returns the number of the new version.
  int create_policy_version(const std::string& arn, const std::string& document, bool as_default);
  void set_default_policy_version(const std::string& arn, const std::string& version);
  void delete_policy_version(const std::string& arn, const std::string& version);
  // Throws DeleteConflict while the policy is attached, or is a permissions boundary.
  void delete_policy(const std::string& arn);
  void tag_policy(const std::string& arn, const Tags& tags);
  void untag_policy(const std::string& arn, const std::vector<std::string>& keys);

  // ---- instance profiles
  const ByName<InstanceProfile>& instance_profiles() const { return profiles_; }
  const InstanceProfile& instance_profile(const std::string& name) const;
  // Returns null if there is none. EC2 names a profile by its name or by its ARN.
  const InstanceProfile* find_instance_profile(const std::string& name_or_arn) const;
  std::vector<const InstanceProfile*> instance_profiles_with(const std::string& role) const;
  const InstanceProfile& create_instance_profile(InstanceProfile profile);
  void add_role(const std::string& profile, const std::string& role);
  void remove_role(const std::string& profile, const std::string& role);
  void delete_instance_profile(const std::string& name);
  void tag_instance_profile(const std::string& name, const Tags& tags);
  void untag_instance_profile(const std::string& name, const std::vector<std::string>& keys);

  // ---- OpenID Connect providers, by the URL without "https://"
  const ByName<OpenIdProvider>& open_id_providers() const { return open_id_providers_; }
  const OpenIdProvider& open_id_provider(const std::string& arn) const;
  // The provider of a token with this `iss` ("https://…"), or null.
  const OpenIdProvider* open_id_provider_of(std::string_view issuer) const;
  const OpenIdProvider& create_open_id_provider(const std::string& url, OpenIdProvider provider);
  void delete_open_id_provider(const std::string& arn);  // none is no error
  void tag_open_id_provider(const std::string& arn, const Tags& tags);
  void untag_open_id_provider(const std::string& arn, const std::vector<std::string>& keys);
  void add_client_id(const std::string& arn, const std::string& id);
  void remove_client_id(const std::string& arn, const std::string& id);
  void set_thumbprints(const std::string& arn, std::vector<std::string> thumbprints);

  // ---- the account's initial state
  // Sets the initial instance profiles, each with a role of its name. There are no others.
  void begin_with(const std::vector<std::string>& instance_profiles);
  // Adds inline policies, by the role that has them; "operator" is the operator's user. A role that
  // does not exist is made, with an instance profile of its name.
  void begin_with_policies(const std::map<std::string, std::string>& documents);
  // Returns the instance profile for a launch, or null if there is none. Scripts that never call
  // IAM expect existing profiles. So if the scenario declares no initial profiles, the account has
  // every profile that a launch names, until a client creates, changes or deletes an instance
  // profile.
  const InstanceProfile* instance_profile_for_launch(const std::string& name_or_arn);

 private:
  bool has_principal(std::string_view principal) const;
  Role& find_role(const std::string& name);
  Role& modifiable_role(const std::string& name);
  User& find_user(const std::string& name);
  Group& find_group(const std::string& name);
  Identity& modifiable(Owner owner, const std::string& name);
  AccessKey& own_key(const std::string& user, const std::string& id);
  Policy& own_policy(const std::string& arn);
  InstanceProfile& find_profile(const std::string& name);
  OpenIdProvider& find_open_id_provider(const std::string& arn);
  // Sets ID, ARN and time of a "user", "group", "role", "policy" or "instance-profile".
  void identify(Entity& entity, std::string_view kind);
  const InstanceProfile& begin_with_profile(const std::string& name_or_arn);

  const Simulation& simulation_;
  const Streams& streams_;
  std::string account_id_;
  Time created_;
  ByName<Role> roles_;
  ByName<Policy> policies_;
  ByName<InstanceProfile> profiles_;
  ByName<OpenIdProvider> open_id_providers_;
  ByName<User> users_;
  ByName<Group> groups_;
  std::map<std::string, AccessKey, std::less<>> keys_;    // by ID
  std::map<std::string, Session, std::less<>> sessions_;  // by the access key's ID
  std::string alias_;
  std::optional<CredentialReport> credential_report_;
  Deciding deciding_;
  // Compiled policies by the caller's kind, name and session policies; cleared by each change of
  // the account.
  mutable std::map<std::string, PolicySet> compiled_;
  std::set<std::string> deletions_;  // of service-linked roles: their IDs
  std::map<std::string, int> made_;  // by ARN: number of entities that ever had it
  bool knows_all_profiles_ = false;
};

}  // namespace sim::iam
