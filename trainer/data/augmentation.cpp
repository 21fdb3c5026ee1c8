#include "trainer/data/augmentation.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "trainer/data/philox.h"

namespace spottrain {
namespace {

constexpr int kMostPadding = 64;

// The N of "crop:N"; -1 for other texts.
int padding_of(std::string_view text) {
  constexpr std::string_view prefix = "crop:";
  if (!text.starts_with(prefix)) return -1;
  text.remove_prefix(prefix.size());
  int padding = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), padding);
  const bool whole = error == std::errc() && stop == text.data() + text.size();
  return whole && padding >= 1 && padding <= kMostPadding ? padding : -1;
}

}  // namespace

Augmentation parse_augmentation(std::string_view text) {
  if (text == "none") return {};
  Augmentation augmentation;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view one = rest.substr(0, comma);
    if (one == "flip" && !augmentation.flip) {
      augmentation.flip = true;
    } else if (const int padding = padding_of(one); padding > 0 && augmentation.padding == 0) {
      augmentation.padding = padding;
    } else {
      throw std::invalid_argument(fmt::format(
          "augmentation '{}': expected none, crop:N (1 to {} pixels), flip, or crop:N,flip", text,
          kMostPadding));
    }
    if (comma == std::string_view::npos) return augmentation;
    rest.remove_prefix(comma + 1);
  }
}

Crop crop_of(const Augmentation& augmentation, std::uint64_t seed, std::int64_t epoch,
             std::uint32_t image) {
  if (augmentation == Augmentation{}) return {};
  Philox random(seed, Purpose::augmentation, static_cast<std::uint64_t>(epoch) << 32 | image);
  // Every image takes three draws, so switching off one augmentation does not change the others.
  const auto positions = static_cast<std::uint32_t>(2 * augmentation.padding + 1);
  const auto row = static_cast<int>(random.below(positions));
  const auto column = static_cast<int>(random.below(positions));
  return {.row = row, .column = column, .flipped = augmentation.flip && (random.next() & 1) != 0};
}

}  // namespace spottrain
