// The reason why a request is refused before a handler sees it. Each protocol has its own message
// for it (error.h).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace api {

// The maximum nesting of structures, lists and maps in a message. The deepest known limit is
// DynamoDB's: 32 nested values, each a structure with a list or map.
inline constexpr std::size_t kDeepest = 100;

class Refusal : public std::runtime_error {
 public:
  enum class Why {
    kMissing,      // a required member
    kUnknown,      // no member of the model
    kUnsupported,  // a member that no handler here reads
    kType,
    kEnum,
    kMin,    // the number is too small
    kMax,    // or too large
    kShort,  // a text, list or map, likewise
    kLong,
    kMalformed  // no text of the protocol
  };
  // `where`: the member's path in the protocol's form; `found` and `expected` may be empty.
  Refusal(Why why_, std::string where_, std::string found_ = "", std::string expected_ = "")
      : std::runtime_error(where_ + ": " + found_ + ": " + expected_),
        why(why_),
        where(std::move(where_)),
        found(std::move(found_)),
        expected(std::move(expected_)) {}

  const Why why;
  const std::string where, found, expected;
};

// Exists while a reader is inside one more structure, list or map. Throws Refusal kMalformed if
// they are nested too deep.
class Nesting {
 public:
  explicit Nesting(std::size_t& depth) : depth_(depth) {
    if (depth_ >= kDeepest)
      throw Refusal(Refusal::Why::kMalformed, "", "",
                    "The request is nested deeper than " + std::to_string(kDeepest) + ".");
    ++depth_;
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --depth_; }

 private:
  std::size_t& depth_;
};

}  // namespace api
