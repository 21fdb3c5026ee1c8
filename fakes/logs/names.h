// Names and positions in the service's formats.
#pragma once

#include <optional>
#include <string>

#include "fakes/action.h"
#include "sim/logs/store.h"

namespace fakes::logs {

using sim::cloud::ApiError;

// "arn:aws:logs:us-west-2:123456789012:log-group:NAME", the form for tags.
std::string group_arn(const Call& call, const std::string& group);

// An event's ID: 56 digits that increase in the order of events.
std::string event_id(const sim::logs::Position& position);

// The name after which a token continues a list in order of names. Throws
// InvalidParameterException.
std::string token_after(const std::string& name);
std::string name_of_token(const std::string& token);
// The position in a token of events. Throws InvalidParameterException.
sim::logs::Position position_of_token(std::string_view digits);
ApiError invalid_token();

}  // namespace fakes::logs
