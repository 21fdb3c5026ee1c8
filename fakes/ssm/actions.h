// The handlers of Systems Manager's actions, and parameters as they show them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/ssm.h"
#include "fakes/action.h"
#include "fakes/ssm/parameter_store.h"

namespace fakes::ssm {

namespace op = api::ssm::op;
using sim::cloud::ApiError;

std::vector<ActionRow> read_actions();
std::vector<ActionRow> write_actions();
std::vector<ActionRow> describe_actions();
std::vector<ActionRow> label_actions();
std::vector<ActionRow> tag_actions();

// ---- read.cpp
std::string arn_of(const Call& call, const std::string& name);
// Without decryption, the value of a SecureString is a text that does not depend on the secret.
std::string shown_value(const std::string& name, const ParameterVersion& version, bool decrypted);

// The name after which a page begins. Throws ApiError InvalidNextToken.
std::string last_shown(const api::Opt<std::string>& next_token);

}  // namespace fakes::ssm
