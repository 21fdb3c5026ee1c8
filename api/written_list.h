// Elements of a response's list that a server already has as text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace api {

// The texts replace the list's elements, of which there must be none. Only for XML.
struct WrittenList {
  std::string_view member = {};                 // the list's name in the model: "Volumes"
  std::vector<std::string_view> elements = {};  // with their tags; they stay until they are written
};

// Caches the texts of one kind of list from response to response.
class ElementTexts {
 public:
  // The text of a resource. Calls `render(std::string&)` only if the resource's revision differs
  // from the cached one. `number` counts the resources from 0 on.
  template <class Render>
  std::string_view of(std::size_t number, std::uint64_t revision, Render render) {
    if (texts_.size() <= number) texts_.resize(number + 1);
    Text& known = texts_[number];
    if (known.revision == revision) return known.text;
    known = {.revision = revision, .text = {}};
    render(known.text);
    known.text.shrink_to_fit();
    return known.text;
  }

 private:
  struct Text {
    std::uint64_t revision = 0;
    std::string text;
  };
  std::deque<Text> texts_;
};

}  // namespace api
