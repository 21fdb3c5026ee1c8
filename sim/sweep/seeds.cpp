#include "sim/sweep/seeds.h"

#include <charconv>
#include <optional>

namespace sim::sweep {
namespace {

std::optional<std::uint64_t> parse_seed(std::string_view text) {
  std::int64_t seed = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (text.empty() || error != std::errc{} || stop != end || seed < 0) return {};
  return static_cast<std::uint64_t>(seed);
}

}  // namespace

bool add_seeds(std::string_view text, std::vector<std::uint64_t>& seeds) {
  const std::size_t dash = text.find('-');
  const auto first = parse_seed(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_seed(text.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first >= kMostSeeds - seeds.size())
    return false;
  for (std::uint64_t seed = *first; seed <= *last; ++seed) seeds.push_back(seed);
  return true;
}

}  // namespace sim::sweep
