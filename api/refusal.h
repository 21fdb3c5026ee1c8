// Why a request is refused before a handler sees it; each protocol has its words for it
// (protocol.h).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace api {

class Refusal : public std::runtime_error {
 public:
  enum class Why {
    kMissing,      // a required member
    kUnknown,      // no member of the model
    kUnsupported,  // a member that no handler here reads
    kType,
    kEnum,
    kMin,
    kMax,
    kMalformed  // no text of the protocol
  };
  // `where`: the member's path as the protocol has it; `found` and `expected` may be empty.
  Refusal(Why why_, std::string where_, std::string found_ = "", std::string expected_ = "")
      : std::runtime_error(where_ + ": " + found_ + ": " + expected_),
        why(why_),
        where(std::move(where_)),
        found(std::move(found_)),
        expected(std::move(expected_)) {}

  const Why why;
  const std::string where, found, expected;
};

}  // namespace api
