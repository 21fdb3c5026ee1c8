// Elements of a response's list that a server has as text already.
#pragma once

#include <string_view>
#include <vector>

namespace api {

// They stand in the list's place, which has no elements itself. Only for XML.
struct WrittenList {
  std::string_view member = {};                 // the list's name in the model: "Volumes"
  std::vector<std::string_view> elements = {};  // with their tags; they stay until they are written
};

}  // namespace api
