// Finds the first difference between two objects of a shape.
#pragma once

#include <string>

#include "api/table.h"

namespace api {

// The path of the first member in which two objects of a shape differ, by the model's names, with
// both values: "Volumes.1.Size: 5, 6". Empty when they are equal, except for members that a
// request's reader ignores (Support::kIgnored). An empty list differs from a missing one.
std::string first_difference(const Shape& structure, const void* a, const void* b);

}  // namespace api
