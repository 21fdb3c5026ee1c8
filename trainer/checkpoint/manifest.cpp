#include "trainer/checkpoint/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/damage.h"

namespace spottrain {
namespace {

constexpr int kVersion = 1;
// The text that follows the checksummed text.
constexpr std::string_view kBeforeChecksum = ",\"checksum\":\"", kAfterChecksum = "\"}\n";
constexpr std::size_t kChecksumDigits = 32;
constexpr std::size_t kTailBytes = kBeforeChecksum.size() + kChecksumDigits + kAfterChecksum.size();

std::string tail_of(std::string_view text) {
  return fmt::format("{}{}{}", kBeforeChecksum, xxh3_128(text), kAfterChecksum);
}

std::uint64_t natural_of(const nlohmann::json& json, const char* key) {
  if (!json.at(key).is_number_unsigned()) {
    throw DamagedCheckpoint(fmt::format("its manifest's {} is no count", key));
  }
  return json.at(key).get<std::uint64_t>();
}

Manifest manifest_of(const nlohmann::json& json) {
  if (const std::uint64_t version = natural_of(json, "manifest_version"); version != kVersion) {
    throw UnknownFormatVersion(
        fmt::format("manifest version {}, this program knows {}", version, kVersion));
  }
  Manifest manifest{.step = static_cast<std::int64_t>(natural_of(json, "step")),
                    .bytes = natural_of(json, "bytes"),
                    .xxh3_128 = json.at("xxh3_128").get<std::string>(),
                    .metric = {}};
  if (const nlohmann::json& metric = json.at("metric"); !metric.is_null()) {
    manifest.metric = metric.get<double>();
  }
  return manifest;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  const nlohmann::ordered_json json{
      {"manifest_version", kVersion},
      {"step", manifest.step},
      {"bytes", manifest.bytes},
      {"xxh3_128", manifest.xxh3_128},
      {"metric", manifest.metric ? nlohmann::ordered_json(*manifest.metric) : nullptr}};
  std::string text = json.dump();
  text.pop_back();
  return text + tail_of(text);
}

Manifest parse_manifest(std::string_view text) {
  if (text.size() < kTailBytes) {
    throw DamagedCheckpoint(fmt::format("its manifest of {} bytes is too short", text.size()));
  }
  const std::size_t tail = text.size() - kTailBytes;
  if (text.substr(tail) != tail_of(text.substr(0, tail))) {
    throw DamagedCheckpoint("its manifest's checksum is wrong");
  }
  try {
    return manifest_of(nlohmann::json::parse(std::string(text)));
  } catch (const nlohmann::json::exception& error) {
    throw DamagedCheckpoint(fmt::format("its manifest is wrong: {}", error.what()));
  }
}

}  // namespace spottrain
