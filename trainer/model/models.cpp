#include "trainer/model/models.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "trainer/model/model_text.h"

namespace spottrain {
namespace {

constexpr std::uintmax_t kMostBytes = 1 << 20;

std::string read_text(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  if (error) {
    std::string names;
    for (const BuiltinModel& model : builtin_models()) names += " " + std::string(model.name);
    throw std::invalid_argument("model '" + file + "': " + error.message() +
                                "; expected a model's file or one of:" + names);
  }
  if (bytes > kMostBytes) {
    throw std::invalid_argument("model '" + file + "': " + std::to_string(bytes) +
                                " bytes, expected at most " + std::to_string(kMostBytes));
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::invalid_argument("model '" + file + "': " + std::strerror(errno));
  return text;
}

}  // namespace

ModelDescription load_model(const std::string& name_or_file, ImageShape input, int classes) {
  const auto builtin = std::ranges::find(builtin_models(), name_or_file, &BuiltinModel::name);
  if (builtin == builtin_models().end()) {
    return parse_model(read_text(name_or_file), name_or_file, input, classes);
  }
  return parse_model(builtin->text, name_or_file, input, classes);
}

}  // namespace spottrain
