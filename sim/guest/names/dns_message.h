// Parses DNS queries with one question (RFC 1035), and writes the answers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sim::guest {

// The result of looking up a name.
struct NameAnswer {
  bool exists = false;
  std::string address;  // IPv4, as text; empty: no address
  std::string host;     // the result for a name below in-addr.arpa
};
// Looks up a name, given in lower case without the last dot. Bytes that host names cannot have are
// "\DDD".
using Lookup = std::function<NameAnswer(const std::string& name)>;

// The answer to a message; empty if the message gets none. A message without a question, or with
// several, is answered with "format error", and an operation other than a query with "not
// implemented". Additional records, such as EDNS's, are ignored.
std::optional<std::string> answer_message(std::string_view message, const Lookup& lookup);

}  // namespace sim::guest
