#include "sim/guest/fiber/container_checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace sim::guest {
namespace {

using nlohmann::json;

constexpr const char* kData = ".safetensors";
constexpr const char* kManifest = ".json";

std::string manifest_of(const KeptCheckpoint& checkpoint) {
  return json{{"step", checkpoint.step}, {"bytes", checkpoint.bytes}, {"base", checkpoint.base}}
      .dump();
}

std::optional<KeptCheckpoint> read_manifest(const std::string& text) {
  const json said = json::parse(text, nullptr, false);
  if (!said.is_object() || !said.contains("step") || !said.contains("bytes")) return {};
  KeptCheckpoint checkpoint{.step = said["step"], .bytes = said["bytes"]};
  checkpoint.base = said.value("base", checkpoint.step);
  return checkpoint;
}

}  // namespace

ContainerCheckpoints::ContainerCheckpoints(const Simulation& simulation,
                                           cloud::ModelledFolder& folder, std::string name)
    : simulation_(simulation), folder_(folder), name_(std::move(name)) {
  const std::string below = name_ + "/step-";
  for (auto at = folder_.lower_bound(below); at != folder_.end() && at->first.starts_with(below);
       ++at) {
    if (!at->first.ends_with(kManifest)) continue;
    const auto kept = read_manifest(at->second.text);
    const auto data = kept ? folder_.find(path(kept->step, kData)) : folder_.end();
    if (data != folder_.end() && std::cmp_equal(data->second.size, kept->bytes))
      checkpoints_.push_back(*kept);
  }
  if (!folder_.contains(list())) write(list(), "step,time\n");
}

std::string ContainerCheckpoints::path(std::int64_t step, const char* end) const {
  return fmt::format("{}/step-{:010}{}", name_, step, end);
}

void ContainerCheckpoints::write(const std::string& path, std::string text) {
  cloud::ModelledFile& file = folder_[path];
  file = {.size = text.size(), .text = std::move(text), .written = simulation_.now()};
}

void ContainerCheckpoints::publish(const KeptCheckpoint& checkpoint) {
  const std::vector<KeptCheckpoint> before = checkpoints_;
  CheckpointPlace::publish(checkpoint);
  for (const KeptCheckpoint& old : before) {
    if (std::ranges::find(checkpoints_, old.step, &KeptCheckpoint::step) != checkpoints_.end())
      continue;
    folder_.erase(path(old.step, kData));
    folder_.erase(path(old.step, kManifest));
  }
  folder_[path(checkpoint.step, kData)] = {.size = static_cast<std::uint64_t>(checkpoint.bytes),
                                           .text = {},
                                           .written = simulation_.now()};
  write(path(checkpoint.step, kManifest), manifest_of(checkpoint));
  cloud::ModelledFile& list_file = folder_[list()];
  list_file.size += fmt::format("{},{}\n", checkpoint.step, iso_seconds(simulation_.now())).size();
  list_file.written = simulation_.now();
}

}  // namespace sim::guest
