// Checksums as text: XXH3 in its canonical form (big-endian), in hexadecimal digits.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace spottrain {

// XXH3-64 in 16 digits.
std::string xxh3_64(std::string_view bytes);
// XXH3-128 in 32 digits.
std::string xxh3_128(std::string_view bytes);

// XXH3-128 of bytes that arrive in pieces.
class Xxh3Stream {
 public:
  Xxh3Stream();
  void update(std::string_view bytes);
  std::string digits() const;  // 32 digits, for all bytes so far

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace spottrain
