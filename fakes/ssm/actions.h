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
std::string arn_of(const Backend& backend, const std::string& name);
// Without decryption, the value of a SecureString is a text that does not depend on the secret.
std::string shown_value(const std::string& name, const ParameterVersion& version, bool decrypted);

// ---- events.cpp
// Puts an event "Parameter Store Change" on the bus (Systems Manager User Guide, "Monitoring
// Systems Manager events with Amazon EventBridge"). `exception` says why a change failed.
void report_change(Backend& backend, const std::string& name, const ParameterVersion& version,
                   const char* operation, const char* exception = nullptr);
// Lets the policies of the parameter's newest version act when they are due.
void schedule_policies(Backend& backend, const std::string& name);

// The name after which a page begins. Throws ApiError InvalidNextToken.
std::string last_shown(const api::Opt<std::string>& next_token);

}  // namespace fakes::ssm
