// Finds the first difference between two objects of a shape.
#pragma once

#include <string>

#include "api/table.h"

namespace api {

// Returns the path of the first member in which two objects of a shape differ, by the model's
// names, with both values: "Volumes.1.Size: 5, 6". Returns an empty text if they are equal. Members
// that a request's reader ignores (Support::kIgnored) are not compared. An empty list differs from
// a missing one.
std::string first_difference(const Shape& structure, const void* a, const void* b);

}  // namespace api
