// Telling when a price rises.
#pragma once

#include <optional>

namespace policies {

class PriceRise {
 public:
  // True when this price is above the one that was seen before it.
  bool operator()(double price) {
    const bool rose = before_ && price > *before_;
    before_ = price;
    return rose;
  }

 private:
  std::optional<double> before_;
};

}  // namespace policies
