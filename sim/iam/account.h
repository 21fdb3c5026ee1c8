// AWS Identity and Access Management: the roles, managed policies and instance profiles of one
// account, for all regions. Policies are stored and their form is checked. No policy decides about
// a call yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/iam/entities.h"
#include "sim/iam/names.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::iam {

// Characters of IAM's alphabet, A–Z and 2–7.
std::string random_characters(Stream stream, int count);

// All functions throw ApiError with IAM's codes: NoSuchEntity, EntityAlreadyExists, DeleteConflict,
// LimitExceeded, MalformedPolicyDocument, UnmodifiableEntity, ValidationError.
// Owns the entities and checks the rules of their names, quotas and relations. fakes/iam parses
// requests and calls this class. EC2, STS and the metadata service read instance profiles from it.
class Account {
 public:
  // Both references must outlive the account.
  Account(const Simulation& simulation, const Streams& streams, std::string account_id);

  // ---- roles
  const ByName<Role>& roles() const { return roles_; }
  const Role& role(const std::string& name) const;
  // ID, ARN and time are set here; the rest is taken from `role`.
  const Role& create_role(Role role);
  // `service` is for example "spot.amazonaws.com". Throws InvalidInput if the account has the role.
  const Role& create_service_linked_role(const std::string& service, const std::string& suffix,
                                         const std::string& description);
  void update_role(const std::string& name, const std::optional<std::string>& description,
                   std::optional<int> max_session_seconds);
  void set_trust_policy(const std::string& name, const std::string& document);
  void set_permissions_boundary(const std::string& name, const std::string& policy_arn);
  void put_role_policy(const std::string& role, const std::string& policy,
                       const std::string& document);
  const std::string& role_policy(const std::string& role, const std::string& policy) const;
  void delete_role_policy(const std::string& role, const std::string& policy);
  void attach_role_policy(const std::string& role, const std::string& policy_arn);
  void detach_role_policy(const std::string& role, const std::string& policy_arn);
  void delete_role(const std::string& name);
  void tag_role(const std::string& name, const Tags& tags);
  void untag_role(const std::string& name, const std::vector<std::string>& keys);

  // ---- managed policies
  // The account's own policies and AWS's managed policies.
  std::vector<const Policy*> policies() const;
  const Policy& policy(const std::string& arn) const;
  const PolicyVersion& policy_version(const std::string& arn, const std::string& version) const;
  std::vector<const Role*> roles_with(const std::string& policy_arn) const;
  const Policy& create_policy(Policy policy, const std::string& document);
  // Returns the number of the new version.
  int create_policy_version(const std::string& arn, const std::string& document, bool as_default);
  void set_default_policy_version(const std::string& arn, const std::string& version);
  void delete_policy_version(const std::string& arn, const std::string& version);
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

  // ---- the account's initial state
  // Sets the initial instance profiles, each with a role of its name. There are no others.
  void begin_with(const std::vector<std::string>& instance_profiles);
  // Returns the instance profile for a launch, or null if there is none. Scripts that never call
  // IAM expect existing profiles. So if the scenario declares no initial profiles, the account has
  // every profile that a launch names, until a client creates, changes or deletes an instance
  // profile.
  const InstanceProfile* instance_profile_for_launch(const std::string& name_or_arn);

 private:
  Role& find_role(const std::string& name);
  Role& modifiable_role(const std::string& name);
  Policy& own_policy(const std::string& arn);
  InstanceProfile& find_profile(const std::string& name);
  // Sets ID, ARN and time of a "role", "policy" or "instance-profile".
  void identify(Entity& entity, std::string_view kind);
  const InstanceProfile& begin_with_profile(const std::string& name_or_arn);

  const Simulation& simulation_;
  const Streams& streams_;
  std::string account_id_;
  ByName<Role> roles_;
  ByName<Policy> policies_;
  ByName<InstanceProfile> profiles_;
  std::map<std::string, int> made_;  // by ARN: number of entities that ever had it
  bool knows_all_profiles_ = false;
};

}  // namespace sim::iam
