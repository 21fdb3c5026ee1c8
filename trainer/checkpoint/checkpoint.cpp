#include "trainer/checkpoint/checkpoint.h"

#include <fmt/format.h>

namespace spottrain {
namespace {

std::string value_text(const Configuration& configuration, const std::string& name) {
  const auto found = configuration.find(name);
  if (found == configuration.end()) return "absent";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace

std::vector<std::string> differences(const Configuration& saved, const Configuration& now) {
  std::vector<std::string> texts;
  const auto compare = [&](const std::string& name) {
    texts.push_back(
        fmt::format("{} {}, now {}", name, value_text(saved, name), value_text(now, name)));
  };
  for (const auto& [name, value] : saved.items()) {
    const auto other = now.find(name);
    if (other == now.end() || *other != value) compare(name);
  }
  for (const auto& [name, value] : now.items()) {
    if (!saved.contains(name)) compare(name);
  }
  return texts;
}

std::size_t Tensor::size() const {
  std::size_t size = 1;
  for (const std::size_t extent : shape) size *= extent;
  return size;
}

}  // namespace spottrain
