#include "trainer/checkpoint/codec.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

namespace spottrain {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::string_view kMagic = "SPOTCKPT";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPrefixBytes = 16;  // magic, version, length of the header
constexpr std::size_t kHashBytes = sizeof(XXH128_canonical_t);
constexpr std::size_t kMostHeaderBytes = 1 << 20;

std::string checksum(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::string(reinterpret_cast<const char*>(canonical.digest), kHashBytes);
}

void append_number(std::string& bytes, std::uint32_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

Json header_of(const Checkpoint& checkpoint) {
  const Configuration& c = checkpoint.configuration;
  Json tensors = Json::array();
  for (const Tensor& tensor : checkpoint.tensors) {
    tensors.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  return {
      {"step", checkpoint.step},
      {"epoch", checkpoint.step / checkpoint.steps_per_epoch},
      {"steps_per_epoch", checkpoint.steps_per_epoch},
      {"configuration",
       {{"model", c.model},
        {"optimizer", "sgd"},
        {"seed", c.seed},
        {"batch_size", c.batch_size},
        {"learning_rate", c.learning_rate},
        {"momentum", c.momentum},
        {"weight_decay", c.weight_decay},
        {"schedule", c.schedule},
        {"data_fingerprint", c.data_fingerprint}}},
      {"random", {{"generator", "philox4x32-10"}, {"seed", c.seed}, {"position", checkpoint.step}}},
      {"numeric_class", checkpoint.numeric_class},
      // The sum's bits: a diverged training's is no number, which JSON cannot say.
      {"epoch_sums",
       {{"loss_bits", std::bit_cast<std::uint64_t>(checkpoint.epoch_sums.loss)},
        {"correct", checkpoint.epoch_sums.correct},
        {"images", checkpoint.epoch_sums.images}}},
      {"tensors", tensors},
  };
}

Configuration configuration_of(const Json& json) {
  return {.model = json.at("model").get<std::string>(),
          .seed = json.at("seed").get<std::uint64_t>(),
          .batch_size = json.at("batch_size").get<std::int64_t>(),
          .learning_rate = json.at("learning_rate").get<double>(),
          .momentum = json.at("momentum").get<double>(),
          .weight_decay = json.at("weight_decay").get<double>(),
          .schedule = json.at("schedule").get<std::string>(),
          .data_fingerprint = json.at("data_fingerprint").get<std::string>()};
}

// Takes one tensor's values off the front of payload.
Tensor take_tensor(const Json& json, std::string_view& payload) {
  Tensor tensor{.name = json.at("name").get<std::string>(),
                .shape = json.at("shape").get<std::vector<std::size_t>>(),
                .values = {}};
  std::size_t count = 1;
  for (const std::size_t extent : tensor.shape) {
    if (extent == 0 || extent > payload.size() / sizeof(float) / count) {
      throw DamagedCheckpoint(fmt::format("tensor {} does not fit the payload", tensor.name));
    }
    count *= extent;
  }
  if (count > payload.size() / sizeof(float)) {
    throw DamagedCheckpoint(fmt::format("tensor {} does not fit the payload", tensor.name));
  }
  tensor.values.resize(count);
  std::memcpy(tensor.values.data(), payload.data(), count * sizeof(float));
  payload.remove_prefix(count * sizeof(float));
  return tensor;
}

Checkpoint checkpoint_of(const Json& header, std::string_view payload) {
  const Json& sums = header.at("epoch_sums");
  Checkpoint checkpoint{
      .step = header.at("step").get<std::int64_t>(),
      .steps_per_epoch = header.at("steps_per_epoch").get<std::int64_t>(),
      .configuration = configuration_of(header.at("configuration")),
      .numeric_class = header.at("numeric_class").get<std::string>(),
      .epoch_sums = {.loss = std::bit_cast<double>(sums.at("loss_bits").get<std::uint64_t>()),
                     .correct = sums.at("correct").get<std::int64_t>(),
                     .images = sums.at("images").get<std::int64_t>()},
      .tensors = {}};
  if (checkpoint.step < 0 || checkpoint.steps_per_epoch < 1) {
    throw DamagedCheckpoint(fmt::format("step {} of {} an epoch is impossible", checkpoint.step,
                                        checkpoint.steps_per_epoch));
  }
  for (const Json& tensor : header.at("tensors")) {
    checkpoint.tensors.push_back(take_tensor(tensor, payload));
  }
  if (!payload.empty()) {
    throw DamagedCheckpoint(fmt::format("{} bytes of payload belong to no tensor", payload.size()));
  }
  return checkpoint;
}

// The header's bytes, once length and checksum are right.
std::string_view verified_header(std::string_view bytes) {
  if (bytes.size() < kPrefixBytes + kHashBytes) {
    throw DamagedCheckpoint(fmt::format("{} bytes are too few", bytes.size()));
  }
  if (!bytes.starts_with(kMagic)) throw DamagedCheckpoint("it does not begin as a checkpoint does");
  const std::string_view content = bytes.substr(0, bytes.size() - kHashBytes);
  if (bytes.substr(content.size()) != checksum(content)) {
    throw DamagedCheckpoint("its checksum is wrong");
  }
  if (const auto version = number_at(bytes, 8); version != kVersion) {
    throw UnknownFormatVersion(
        fmt::format("format version {}, this program knows {}", version, kVersion));
  }
  const std::size_t length = number_at(bytes, 12);
  if (length > kMostHeaderBytes || length > content.size() - kPrefixBytes) {
    throw DamagedCheckpoint(fmt::format("a header of {} bytes does not fit", length));
  }
  return content.substr(kPrefixBytes, length);
}

}  // namespace

std::string encode(const Checkpoint& checkpoint) {
  const std::string header = header_of(checkpoint).dump();
  std::string bytes(kMagic);
  append_number(bytes, kVersion);
  append_number(bytes, static_cast<std::uint32_t>(header.size()));
  bytes += header;
  for (const Tensor& tensor : checkpoint.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()),
                 tensor.values.size() * sizeof(float));
  }
  return bytes + checksum(bytes);
}

Checkpoint decode(std::string_view bytes) {
  const std::string_view header = verified_header(bytes);
  const std::size_t payload = kPrefixBytes + header.size();
  try {
    return checkpoint_of(Json::parse(header),
                         bytes.substr(payload, bytes.size() - kHashBytes - payload));
  } catch (const nlohmann::json::exception& error) {
    throw DamagedCheckpoint(fmt::format("its header is wrong: {}", error.what()));
  }
}

}  // namespace spottrain
