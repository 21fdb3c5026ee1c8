// Blocks of IPv4 addresses, as Fn::Cidr divides them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sim::stacks {

// The first `count` blocks with `bits` host bits inside `block` ("10.0.0.0/16"). Empty where
// `block` is not a block, `count` is not 1 to 256, or so many blocks do not fit.
std::optional<std::vector<std::string>> subdivide(const std::string& block, std::size_t count,
                                                  std::size_t bits);

}  // namespace sim::stacks
