// Seeds as text, in sweep files and on the command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sim::sweep {

inline constexpr std::uint64_t kMostSeeds = 1'000'000;

// Appends the seeds of a range such as "1-20", or the one seed "7". False, with unchanged `seeds`,
// if the text is neither, or if there would be too many.
bool add_seeds(std::string_view text, std::vector<std::uint64_t>& seeds);

}  // namespace sim::sweep
