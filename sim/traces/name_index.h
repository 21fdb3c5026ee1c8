// Numbers for names: a large trace repeats each pool's name on every line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::traces {

// A hash table (XXH3), because an ordered map is too slow for the million names of a large trace.
// Only the order in which names come is visible.
class NameIndex {
 public:
  // The name's number: 0 for the first name that came, 1 for the second.
  std::size_t number_of(std::string_view name);
  std::size_t size() const { return names_.size(); }

 private:
  void grow();

  struct Name {
    std::string text;
    std::uint64_t hash;
  };
  struct Slot {
    std::uint32_t number = 0;  // a name's + 1; 0: free
    std::uint32_t tag = 0;     // the upper half of its hash
  };
  std::vector<Name> names_;
  std::vector<Slot> slots_;  // at most half are taken
};

}  // namespace sim::traces
