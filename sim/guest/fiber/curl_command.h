// Parses curl commands in an operator's script of fiber guests: requests to Elastigroup's API.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/guest/fiber/plain_script.h"

namespace sim::guest {

struct CurlCommand {
  std::string method;  // "POST"
  std::string target;  // "/aws/ec2/group?accountId=act-12345678"
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// Understands --request, --header, --data (also @FILE in `folder`), options that only change curl's
// output, and one URL at https://api.spotinst.io. Throws ScriptError with the line for anything
// else.
CurlCommand read_curl(const SimpleCommand& command, const std::filesystem::path& folder);

}  // namespace sim::guest
