// IAM's entities of an account: users, groups, roles, policies and instance profiles.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::iam {

// Compares names. In an account they are unique without regard to case (IAM User Guide, "IAM and
// AWS STS quotas").
struct CaseBlindLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};
template <class T>
using ByName = std::map<std::string, T, CaseBlindLess>;
using Tags = ByName<std::string>;

struct Entity {
  std::string name, path = "/";
  std::string id = {}, arn = {};  // the account sets both
  Time created{};
  Tags tags = {};
};

// The common part of users, groups and roles.
struct Identity : Entity {
  std::map<std::string, std::string> inline_policies = {};  // name: document
  std::set<std::string> attached_policies = {};             // ARNs of managed policies
  std::string permissions_boundary = {};  // a policy's ARN; empty: none. Groups have none.
};

struct Group : Identity {};

struct Login {
  Time created{}, password_changed{};
  bool password_reset_required = false;
};

struct User : Identity {
  std::set<std::string> groups = {};  // their names
  std::optional<Login> login = {};    // to the console
};

struct Role : Identity {
  std::string trust_policy = {}, description = {};
  int max_session_seconds = 3600;
  std::optional<Time> last_used = {};  // to sign a request
  std::string last_region = {};

  // Only AWS may change such a role.
  bool is_service_linked() const { return path.starts_with("/aws-service-role/"); }
};

// A provider of OpenID Connect. Its name is its URL without "https://".
struct OpenIdProvider : Entity {
  std::vector<std::string> client_ids = {}, thumbprints = {};
};

struct PolicyVersion {
  std::string document;
  Time created{};
};

// A managed policy: the customer's own, or AWS's.
struct Policy : Entity {
  std::string description = {};
  std::map<int, PolicyVersion> versions = {};  // 3: "v3"
  int default_version = 1, last_version = 1;
  Time updated{};
  bool is_aws_managed = false;

  const std::string& document() const { return versions.at(default_version).document; }
};

struct InstanceProfile : Entity {
  std::string role = {};  // its name; empty: none
};

}  // namespace sim::iam
