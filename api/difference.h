// Whether two objects say the same.
#pragma once

#include <string>

#include "api/table.h"

namespace api {

// The path of the first member in which two objects of a shape differ, by the model's names, with
// what each has: "Volumes.1.Size: 5, 6". Empty when they are the same but for members that a
// request's reader passes over (Support::kIgnored). A list that is given empty is not one that is
// not given.
std::string first_difference(const Shape& structure, const void* a, const void* b);

}  // namespace api
