#include "trainer/spot/sagemaker.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files/whole_file.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kReasonBytes = 1024;

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory()) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

fs::path data_folder(const ReadVariable& environment, const fs::path& channels) {
  for (const char* name : {"SM_CHANNEL_TRAINING", "SM_CHANNEL_TRAIN"}) {
    if (const auto named = environment(name)) return *named;
  }
  for (const char* channel : {"training", "train"}) {
    std::error_code error;
    if (fs::is_directory(channels / channel, error)) return channels / channel;
  }
  const auto found = folders_in(channels);
  if (found.size() == 1) return found.front();
  std::string names;
  for (const fs::path& folder : found) names += " " + folder.filename().string();
  throw std::invalid_argument(fmt::format("{}: found{}, expected a channel training or train",
                                          channels.string(), names.empty() ? " none" : names));
}

bool is_option_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// Decodes a hyperparameter. SageMaker passes every value as a string. Its Python SDK puts JSON into
// the string, with strings in quotes.
std::string plain(const Json& value) {
  if (!value.is_string()) return value.dump();
  const std::string text = value;
  const Json inner = text.starts_with('"') ? Json::parse(text, nullptr, false) : Json();
  return inner.is_string() ? inner.get<std::string>() : text;
}

void append_hyperparameters(const fs::path& file, std::vector<std::string>& options) {
  std::error_code error;
  if (!fs::exists(file, error)) return;
  const Json values = Json::parse(base::read_file(file).value_or(""), nullptr, false);
  if (!values.is_object()) {
    throw std::invalid_argument(fmt::format("{}: expected a JSON object", file.string()));
  }
  for (const auto& [name, value] : values.items()) {
    if (name.starts_with("sagemaker_")) continue;
    if (!is_option_name(name) || value.is_structured() || value.is_null()) {
      throw std::invalid_argument(
          fmt::format("{}: '{}' is {}, expected the name of an option in lower case and its value",
                      file.string(), name, value.dump().substr(0, 80)));
    }
    std::string option = "--" + name;
    std::replace(option.begin(), option.end(), '_', '-');
    options.push_back(option + "=" + plain(value));
  }
}

}  // namespace

std::vector<std::string> sagemaker_options(const ReadVariable& environment, const fs::path& root) {
  const auto folder = [&](const char* variable, const char* name) {
    return environment(variable).value_or((root / name).string());
  };
  std::vector<std::string> options{
      "--data=" + data_folder(environment, root / "input/data").string(),
      "--checkpoints=" + folder("SM_CHECKPOINT_DIR", "checkpoints"),
      "--model-folder=" + folder("SM_MODEL_DIR", "model"),
      "--failure-file=" + folder("SM_OUTPUT_DIR", "output") + "/failure"};
  append_hyperparameters(root / "input/config/hyperparameters.json", options);
  return options;
}

std::optional<SagemakerHosts> sagemaker_hosts(const fs::path& root) {
  const fs::path file = root / "input/config/resourceconfig.json";
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const Json config = Json::parse(base::read_file(file).value_or(""), nullptr, false);
  try {
    SagemakerHosts hosts{config.at("hosts"), config.at("current_host")};
    if (!hosts.all.empty()) return hosts;
  } catch (const Json::exception&) {
  }
  throw std::invalid_argument(fmt::format(
      "{}: expected an object with hosts, a list of names, and current_host", file.string()));
}

bool write_failure(const fs::path& file, std::string_view reason) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << reason.substr(0, kReasonBytes);
  out.close();
  return out.good();
}

}  // namespace spottrain
