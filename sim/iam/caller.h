// The caller of an action, as IAM sees it: the principal that signs a request.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/iam/entities.h"
#include "sim/kernel/time.h"

namespace sim::iam {

// The root user, a user, a session of a role, a federated user (a session that a user opens for
// somebody), the subject of an OpenID provider's token, or one of AWS's services, with the facts
// that conditions of policies can ask for.
struct Caller {
  enum class Kind { kRoot, kUser, kRole, kFederated, kWebIdentity, kService };
  Kind kind = Kind::kRoot;
  std::string name = {};  // the user's, the role's or the service's; a provider's ARN; "" for root
  std::string session = {};  // the name of the role's session, or of the federated user
  std::string id = {};  // "AIDA…"; "AROA…:SESSION"; "ACCOUNT:SESSION"; the account's ID for root
  std::string arn = {};  // "arn:aws:sts::123456789012:assumed-role/train/i-…"
  std::string account = {};
  std::string instance = {};  // the EC2 instance that got the credentials from its metadata
  std::vector<std::string> session_policies = {};  // documents, of which one must allow an action
  std::optional<Time> token_issued = {};           // empty: long-term credentials
  // The services that call on behalf of the caller, in order: "cloudformation.amazonaws.com".
  std::vector<std::string> called_via = {};
  // ---- of a role's session
  Tags tags = {};                                             // of the session, not of the role
  std::set<std::string, CaseBlindLess> transitive_tags = {};  // keys that its sessions inherit
  std::string source_identity = {};

  // True if the policies of the user `name` count.
  bool is_of_user() const { return kind == Kind::kUser || kind == Kind::kFederated; }
};

// Long-term credentials of a user.
struct AccessKey {
  std::string id, secret, user;
  bool is_active = true;
  Time created{};
  std::optional<Time> last_used = {};
  std::string last_service = {}, last_region = {};
};

// Temporary credentials (STS API reference, "Credentials").
struct Session {
  std::string key_id, secret, token;
  Time expires{};
  Caller caller;
};

}  // namespace sim::iam
