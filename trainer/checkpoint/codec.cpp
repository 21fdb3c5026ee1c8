#include "trainer/checkpoint/codec.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/safetensors.h"

namespace spottrain {
namespace {

using Metadata = std::map<std::string, std::string>;

constexpr std::string_view kFormat = "spottrain";
constexpr std::string_view kGenerator = "philox4x32-10";
constexpr std::string_view kHashPrefix = "xxh3/";
constexpr std::size_t kMostConfigurationBytes = 64 << 10;

// Calls fn with each tensor's values.
template <typename Fn>
void for_each_tensor(const std::vector<Tensor>& tensors, std::string_view bytes, Fn fn) {
  for (const Tensor& tensor : tensors) {
    const std::size_t size = tensor.size() * sizeof(float);
    fn(tensor, bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
}

std::string epoch_sums_text(const EpochSums& sums) {
  // The sum is stored as bits, because a diverged training's sum may be NaN, which JSON does not
  // have.
  return fmt::format(R"({{"loss_bits":{},"correct":{},"images":{}}})",
                     std::bit_cast<std::uint64_t>(sums.loss), sums.correct, sums.images);
}

Metadata metadata_of(const Checkpoint& checkpoint) {
  Metadata metadata{{"format", std::string(kFormat)},
                    {"format_version", std::to_string(kFormatVersion)},
                    {"step", std::to_string(checkpoint.step)},
                    {"epoch", std::to_string(checkpoint.step / checkpoint.steps_per_epoch)},
                    {"steps_per_epoch", std::to_string(checkpoint.steps_per_epoch)},
                    {"configuration", checkpoint.configuration.dump()},
                    {"data_order", data_order_of(checkpoint).dump()},
                    {"random", random_of(checkpoint).dump()},
                    {"epoch_sums", epoch_sums_text(checkpoint.epoch_sums)},
                    {"numeric_class", checkpoint.numeric_class},
                    {"code_revision", checkpoint.code_revision}};
  if (checkpoint.metric && std::isfinite(*checkpoint.metric)) {
    metadata["metric"] = fmt::format("{}", *checkpoint.metric);
  }
  for_each_tensor(checkpoint.tensors, value_bytes(checkpoint),
                  [&](const Tensor& tensor, std::string_view bytes) {
                    metadata[std::string(kHashPrefix) + tensor.name] = xxh3_64(bytes);
                  });
  return metadata;
}

const std::string& text_of(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) throw DamagedCheckpoint("its metadata lack " + key);
  return found->second;
}

template <typename Number>
Number number_of(const Metadata& metadata, const std::string& key) {
  const std::string& text = text_of(metadata, key);
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) {
    throw DamagedCheckpoint(fmt::format("its {} '{}' is no number", key, text));
  }
  return number;
}

void check_version(const Metadata& metadata) {
  if (text_of(metadata, "format") != kFormat) {
    throw DamagedCheckpoint("it is a safetensors file, but none of spottrain's");
  }
  if (const auto version = number_of<std::int64_t>(metadata, "format_version");
      version != kFormatVersion) {
    throw UnknownFormatVersion(
        fmt::format("format version {}, this program knows {}", version, kFormatVersion));
  }
}

// Checks the names of the generators, because another generator would draw other numbers from the
// same seed.
void check_generators(const Metadata& metadata) {
  for (const char* key : {"data_order", "random"}) {
    const auto json = nlohmann::json::parse(text_of(metadata, key));
    if (const auto name = json.at("generator").get<std::string>(); name != kGenerator) {
      throw UnknownFormatVersion(
          fmt::format("its {} is of generator '{}', this program knows {}", key, name, kGenerator));
    }
  }
}

void check_positions(const Metadata& metadata, const Checkpoint& checkpoint) {
  for (const auto& [key, expected] : {std::pair("data_order", data_order_of(checkpoint)),
                                      std::pair("random", random_of(checkpoint))}) {
    if (const std::string& text = text_of(metadata, key); text != expected.dump()) {
      throw DamagedCheckpoint(fmt::format("its {} is {}, expected {} after step {}", key, text,
                                          expected.dump(), checkpoint.step));
    }
  }
}

Configuration configuration_of(const Metadata& metadata) {
  const std::string& text = text_of(metadata, "configuration");
  if (text.size() > kMostConfigurationBytes) {
    throw DamagedCheckpoint(fmt::format("a configuration of {} bytes", text.size()));
  }
  Configuration configuration = Configuration::parse(text);
  bool plain = configuration.is_object();
  for (const Configuration& value : configuration) plain = plain && !value.is_structured();
  if (!plain) throw DamagedCheckpoint("its configuration is no object of plain values");
  return configuration;
}

std::int64_t count_of(const nlohmann::json& json, const char* key) {
  const nlohmann::json& value = json.at(key);
  if (!value.is_number_integer()) {
    throw DamagedCheckpoint(fmt::format("its {} is no whole number", key));
  }
  return value.get<std::int64_t>();
}

EpochSums epoch_sums_of(const Metadata& metadata) {
  const auto json = nlohmann::json::parse(text_of(metadata, "epoch_sums"));
  return {.loss = std::bit_cast<double>(count_of(json, "loss_bits")),
          .correct = count_of(json, "correct"),
          .images = count_of(json, "images")};
}

std::optional<double> metric_of(const Metadata& metadata) {
  if (!metadata.contains("metric")) return {};
  const double metric = number_of<double>(metadata, "metric");
  if (!std::isfinite(metric)) throw DamagedCheckpoint("its metric is no number");
  return metric;
}

void check_tensors(const SafetensorsFile& file, TensorChecksums checksums) {
  for_each_tensor(file.header.tensors, file.values,
                  [&](const Tensor& tensor, std::string_view bytes) {
                    const std::string& written =
                        text_of(file.header.metadata, std::string(kHashPrefix) + tensor.name);
                    if (checksums == TensorChecksums::kCompared && written != xxh3_64(bytes))
                      throw DamagedCheckpoint("the checksum of " + tensor.name + " is wrong");
                  });
}

Checkpoint checkpoint_of(SafetensorsFile file, TensorChecksums checksums) {
  const Metadata& metadata = file.header.metadata;
  check_version(metadata);
  check_generators(metadata);
  check_tensors(file, checksums);
  Checkpoint checkpoint{.step = number_of<std::int64_t>(metadata, "step"),
                        .steps_per_epoch = number_of<std::int64_t>(metadata, "steps_per_epoch"),
                        .configuration = configuration_of(metadata),
                        .numeric_class = text_of(metadata, "numeric_class"),
                        .code_revision = text_of(metadata, "code_revision"),
                        .epoch_sums = epoch_sums_of(metadata),
                        .metric = metric_of(metadata),
                        .tensors = std::move(file.header.tensors),
                        .values = std::vector<float>(file.values.size() / sizeof(float))};
  if (checkpoint.step < 0 || checkpoint.steps_per_epoch < 1) {
    throw DamagedCheckpoint(fmt::format("step {} of {} an epoch is impossible", checkpoint.step,
                                        checkpoint.steps_per_epoch));
  }
  check_positions(metadata, checkpoint);
  file.values.copy(reinterpret_cast<char*>(checkpoint.values.data()), file.values.size());
  return checkpoint;
}

}  // namespace

nlohmann::ordered_json data_order_of(const Checkpoint& checkpoint) {
  return {{"generator", kGenerator},
          {"epoch", checkpoint.step / checkpoint.steps_per_epoch},
          {"batch", checkpoint.step % checkpoint.steps_per_epoch}};
}

nlohmann::ordered_json random_of(const Checkpoint& checkpoint) {
  return {{"generator", kGenerator}, {"position", checkpoint.step}};
}

std::string encode_prefix(const Checkpoint& checkpoint) {
  return safetensors_prefix({.metadata = metadata_of(checkpoint), .tensors = checkpoint.tensors});
}

std::string_view value_bytes(const Checkpoint& checkpoint) {
  return {reinterpret_cast<const char*>(checkpoint.values.data()),
          checkpoint.values.size() * sizeof(float)};
}

std::string encode(const Checkpoint& checkpoint) {
  return encode_prefix(checkpoint).append(value_bytes(checkpoint));
}

Checkpoint decode(std::string_view bytes, TensorChecksums checksums) {
  try {
    return checkpoint_of(parse_safetensors(bytes), checksums);
  } catch (const nlohmann::json::exception& error) {
    throw DamagedCheckpoint(fmt::format("its metadata are wrong: {}", error.what()));
  }
}

}  // namespace spottrain
