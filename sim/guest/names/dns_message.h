// DNS messages of a resolver library (RFC 1035): one question, and its answer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sim::guest {

// What a name stands for.
struct NameAnswer {
  bool exists = false;
  std::string address;  // IPv4, as text; empty: it has none
  std::string host;     // of a name below in-addr.arpa
};
// Asked with a name in lower case, without the last dot; bytes that no host name has are "\DDD".
using Lookup = std::function<NameAnswer(const std::string& name)>;

// The answer to a message; empty if the message gets none. A message without a question, or with
// several, is answered with "format error", and an operation other than a query with "not
// implemented". Additional records, such as EDNS's, are ignored.
std::optional<std::string> answer_message(std::string_view message, const Lookup& lookup);

}  // namespace sim::guest
