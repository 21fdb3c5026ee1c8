#include "trainer/checkpoint/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "trainer/checkpoint/damage.h"

namespace spottrain {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
// The size of a page, so that the values can be mapped.
constexpr std::size_t kAlignment = 4096;
constexpr std::size_t kMostHeaderBytes = 16 << 20;

std::size_t unsigned_of(const nlohmann::json& json, const char* what) {
  if (!json.is_number_unsigned()) {
    throw DamagedCheckpoint(fmt::format("{} {} is no count", what, json.dump()));
  }
  return json.get<std::size_t>();
}

// The bytes that a tensor of this shape takes.
std::size_t bytes_of(const Tensor& tensor) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(float);
  std::size_t count = 1;
  for (const std::size_t extent : tensor.shape) {
    if (extent == 0 || extent > kMost / count) {
      throw DamagedCheckpoint(fmt::format("tensor {} has an impossible shape", tensor.name));
    }
    count *= extent;
  }
  return count * sizeof(float);
}

// A tensor and the position of its values.
struct Entry {
  Tensor tensor;
  std::size_t begin = 0, end = 0;
};

Entry entry_of(const std::string& name, const nlohmann::json& json) {
  if (json.at("dtype") != "F32") {
    throw DamagedCheckpoint(
        fmt::format("tensor {} is of type {}, expected F32", name, json.at("dtype").dump()));
  }
  const nlohmann::json &shape = json.at("shape"), &offsets = json.at("data_offsets");
  if (!shape.is_array() || !offsets.is_array() || offsets.size() != 2) {
    throw DamagedCheckpoint(fmt::format("tensor {} needs a shape and two offsets", name));
  }
  Entry entry{.tensor = {.name = name, .shape = {}},
              .begin = unsigned_of(offsets[0], "offset"),
              .end = unsigned_of(offsets[1], "offset")};
  for (const nlohmann::json& extent : shape) {
    entry.tensor.shape.push_back(unsigned_of(extent, "extent"));
  }
  return entry;
}

// The tensors in the order of their values, which must be contiguous.
std::vector<Tensor> in_order(std::vector<Entry> entries, std::size_t value_bytes) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  std::vector<Tensor> tensors;
  std::size_t end = 0;
  for (Entry& entry : entries) {
    const std::size_t size = bytes_of(entry.tensor);
    if (entry.begin != end || entry.end < entry.begin || entry.end - entry.begin != size) {
      throw DamagedCheckpoint(fmt::format("tensor {} does not lie at bytes {} to {}",
                                          entry.tensor.name, entry.begin, entry.end));
    }
    end = entry.end;
    tensors.push_back(std::move(entry.tensor));
  }
  if (end != value_bytes) {
    throw DamagedCheckpoint(fmt::format("{} bytes of values, expected {}", value_bytes, end));
  }
  return tensors;
}

SafetensorsHeader header_of(const nlohmann::json& json, std::size_t value_bytes) {
  SafetensorsHeader header;
  std::vector<Entry> entries;
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadata) {
      header.metadata = value.get<std::map<std::string, std::string>>();
    } else {
      entries.push_back(entry_of(name, value));
    }
  }
  header.tensors = in_order(std::move(entries), value_bytes);
  return header;
}

}  // namespace

std::string safetensors_prefix(const SafetensorsHeader& header) {
  nlohmann::ordered_json json{{kMetadata, header.metadata}};
  std::vector<std::string> members{json.dump()};
  members.back().pop_back();
  std::size_t begin = 0;
  // The header is built by hand, because an ordered_json searches all its names for each new one.
  for (const Tensor& tensor : header.tensors) {
    const std::size_t end = begin + bytes_of(tensor);
    json = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    members.push_back(nlohmann::json(tensor.name).dump() + ":" + json.dump());
    begin = end;
  }
  const std::string text = fmt::format("{}}}", fmt::join(members, ","));
  const std::size_t values =
      (kLengthBytes + text.size() + kAlignment - 1) / kAlignment * kAlignment;
  std::string prefix(values, ' ');
  const std::uint64_t length = values - kLengthBytes;
  std::memcpy(prefix.data(), &length, kLengthBytes);
  text.copy(prefix.data() + kLengthBytes, text.size());
  return prefix;
}

SafetensorsFile parse_safetensors(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    throw DamagedCheckpoint(fmt::format("{} bytes are too few", bytes.size()));
  }
  std::uint64_t length;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  bytes.remove_prefix(kLengthBytes);
  if (length > kMostHeaderBytes || length > bytes.size()) {
    throw DamagedCheckpoint(fmt::format("a header of {} bytes does not fit", length));
  }
  const std::string_view text = bytes.substr(0, length);
  bytes.remove_prefix(length);
  if (!text.starts_with('{')) throw DamagedCheckpoint("it does not begin as safetensors do");
  try {
    return {.header = header_of(nlohmann::json::parse(std::string(text)), bytes.size()),
            .values = bytes};
  } catch (const nlohmann::json::exception& error) {
    throw DamagedCheckpoint(fmt::format("its header is wrong: {}", error.what()));
  }
}

}  // namespace spottrain
