#include "sim/guest/warm/mappings.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "sim/guest/time/leased_clock.h"

namespace sim::guest::warm {

bool Mapping::belongs_to_kernel() const { return name.starts_with("[v") || from == kLeasePage; }

std::vector<Mapping> mappings_of(const std::string& proc) {
  std::ifstream in(proc + "/maps");
  std::vector<Mapping> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Mapping mapping;
    char dash = 0;
    std::string skipped;
    words >> std::hex >> mapping.from >> dash >> mapping.to >> mapping.permissions >> skipped >>
        skipped >> skipped >> std::ws;
    std::getline(words, mapping.name);
    out.push_back(std::move(mapping));
  }
  return out;
}

}  // namespace sim::guest::warm
