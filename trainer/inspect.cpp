#include "trainer/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "client/s3_uri.h"
#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/checkpoint/store.h"
#include "trainer/loop/storages.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kWhole = "whole";

struct NotACheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The result of an inspection. Without `stored` the checkpoint is damaged, and `verdict` has the
// reason.
struct Finding {
  std::string name;
  std::string verdict;
  std::optional<Stored> stored;
};

Finding find(Storage& storage, std::int64_t step) {
  try {
    return {checkpoint_name(step), std::string(kWhole), load_checkpoint(storage, step)};
  } catch (const std::runtime_error& error) {
    return {checkpoint_name(step), error.what(), {}};
  }
}

// The checkpoints that a path names.
struct Looked {
  // All checkpoints of a folder, newest first; or one checkpoint, named by either of its files.
  bool at_all = false;
  std::vector<Finding> findings;
};

Looked look_at_all(const std::string& path) {
  const auto storage = storage_to_look_at(path);
  Looked looked{.at_all = true, .findings = {}};
  const Listing listing = list_checkpoints(*storage);
  for (const std::int64_t step : listing.checkpoints)
    looked.findings.push_back(find(*storage, step));
  for (const std::int64_t step : listing.unfinished)
    looked.findings.push_back({checkpoint_name(step), "unfinished: it has no manifest", {}});
  if (looked.findings.empty())
    std::fprintf(stderr, "spottrain: no checkpoints in %s\n", path.c_str());
  return looked;
}

Looked look_at(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == path.npos ? path : path.substr(slash + 1);
  const auto data = step_of_checkpoint(name), step = data ? data : step_of_manifest(name);
  const bool in_bucket = client::parse_s3_uri(path).has_value();
  if (in_bucket ? !step : fs::is_directory(path)) return look_at_all(path);
  if (!step) {
    throw NotACheckpoint(path + ": found " +
                         (fs::exists(path) ? "another file" : "no such file or folder") +
                         ", expected a folder, or a file named as step-0000000123.safetensors is");
  }
  const auto storage = storage_to_look_at(slash == path.npos ? ""
                                          : slash == 0       ? "/"
                                                             : path.substr(0, slash));
  return {.at_all = false, .findings = {find(*storage, *step)}};
}

Json tensors_json(const Checkpoint& checkpoint) {
  std::string_view bytes = value_bytes(checkpoint);
  std::vector<Json> tensors;
  for (const Tensor& tensor : checkpoint.tensors) {
    const std::size_t size = tensor.size() * sizeof(float);
    tensors.push_back(
        {{"name", tensor.name}, {"shape", tensor.shape}, {"xxh3", xxh3_64(bytes.substr(0, size))}});
    bytes.remove_prefix(size);
  }
  return tensors;
}

Json summary_json(const Finding& finding) {
  Json json{{"file", finding.name}, {"verdict", finding.verdict}};
  if (!finding.stored) return json;
  const auto& [manifest, checkpoint] = *finding.stored;
  json["step"] = manifest.step;
  json["bytes"] = manifest.bytes;
  json["xxh3_128"] = manifest.xxh3_128;
  json["metric"] = manifest.metric ? Json(*manifest.metric) : Json();
  return json;
}

Json description_json(const Finding& finding) {
  Json json = summary_json(finding);
  if (!finding.stored) return json;
  const Checkpoint& checkpoint = finding.stored->checkpoint;
  json["format_version"] = kFormatVersion;
  json["epoch"] = checkpoint.step / checkpoint.steps_per_epoch;
  json["steps_per_epoch"] = checkpoint.steps_per_epoch;
  json["configuration"] = checkpoint.configuration;
  json["data_order"] = data_order_of(checkpoint);
  json["random"] = random_of(checkpoint);
  const EpochSums& sums = checkpoint.epoch_sums;
  json["epoch_sums"] = {{"loss", sums.loss}, {"correct", sums.correct}, {"images", sums.images}};
  json["numeric_class"] = checkpoint.numeric_class;
  json["code_revision"] = checkpoint.code_revision;
  json["tensors"] = tensors_json(checkpoint);
  return json;
}

std::string summary_text(const Finding& finding) {
  if (!finding.stored) return fmt::format("{}  {}\n", finding.name, finding.verdict);
  const Manifest& manifest = finding.stored->manifest;
  return fmt::format("{}  {}  {} bytes{}\n", finding.name, finding.verdict, manifest.bytes,
                     manifest.metric ? fmt::format("  metric {}", *manifest.metric) : "");
}

std::string description_text(const Finding& finding) {
  std::string text = summary_text(finding);
  if (!finding.stored) return text;
  const Checkpoint& checkpoint = finding.stored->checkpoint;
  const auto line = [&text](std::string_view what, const std::string& value) {
    text += fmt::format("{:<18} {}\n", what, value);
  };
  line("format version", std::to_string(kFormatVersion));
  line("step",
       fmt::format("{} (epoch {}, {} steps each)", checkpoint.step,
                   checkpoint.step / checkpoint.steps_per_epoch, checkpoint.steps_per_epoch));
  for (const auto& [name, value] : checkpoint.configuration.items()) {
    line(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  line("data order", data_order_of(checkpoint).dump());
  line("random", random_of(checkpoint).dump());
  const EpochSums& sums = checkpoint.epoch_sums;
  line("epoch so far",
       fmt::format("loss {}, {} of {} images correct", sums.loss, sums.correct, sums.images));
  line("numeric class", checkpoint.numeric_class);
  line("code revision", checkpoint.code_revision);
  for (const Tensor& tensor : checkpoint.tensors) {
    line("tensor", fmt::format("{} [{}]", tensor.name, fmt::join(tensor.shape, " × ")));
  }
  return text;
}

bool print(const std::string& text) {
  return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
}

// Calls fn with the checkpoint at path and prints errors. fn returns true if the checkpoint is
// valid.
template <typename Fn>
int with_findings(const std::string& path, Fn fn) {
  try {
    return fn(look_at(path)) ? 0 : 1;
  } catch (const NotACheckpoint& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return 2;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return 2;
  } catch (const std::runtime_error& error) {  // of a folder or a bucket
    std::fprintf(stderr, "spottrain: %s\n", error.what());
    return 1;
  }
}

bool all_whole(const std::vector<Finding>& findings) {
  return !findings.empty() &&
         std::all_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.stored.has_value(); });
}

}  // namespace

int inspect_checkpoints(const std::string& path, InspectFormat format) {
  return with_findings(path, [&](const Looked& looked) {
    const bool json = format == InspectFormat::json;
    if (!looked.at_all) {
      const Finding& one = looked.findings.front();
      return print(json ? description_json(one).dump(2) + "\n" : description_text(one)) &&
             one.stored.has_value();
    }
    std::string text;
    Json list = Json::array();
    for (const Finding& finding : looked.findings) {
      text += summary_text(finding);
      list.push_back(summary_json(finding));
    }
    return print(json ? list.dump(2) + "\n" : text);
  });
}

int verify_checkpoints(const std::string& path) {
  return with_findings(path, [](const Looked& looked) {
    std::string text;
    for (const Finding& finding : looked.findings) text += summary_text(finding);
    return print(text) && all_whole(looked.findings);
  });
}

}  // namespace spottrain
