// Divides blocks of IPv4 addresses for the function Fn::Cidr.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sim::stacks {

// Returns the first `count` blocks with `bits` host bits inside `block` ("10.0.0.0/16"). Returns
// empty if `block` is malformed, if `count` is not 1 to 256, or if the blocks do not fit.
std::optional<std::vector<std::string>> subdivide(const std::string& block, std::size_t count,
                                                  std::size_t bits);

}  // namespace sim::stacks
