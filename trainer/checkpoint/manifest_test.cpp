#include "trainer/checkpoint/manifest.h"

#include <gtest/gtest.h>

#include <random>

#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/damage.h"

namespace spottrain {
namespace {

const Manifest kExample{
    .step = 123, .bytes = 4567, .xxh3_128 = std::string(32, 'a'), .metric = 0.875};

// The text with the correct checksum.
std::string with_checksum(std::string text) {
  text.resize(text.rfind(",\"checksum\""));
  return text + ",\"checksum\":\"" + xxh3_128(text) + "\"}\n";
}

TEST(Manifest, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_manifest(manifest_text(kExample)), kExample);
  Manifest plain = kExample;
  plain.metric.reset();
  EXPECT_EQ(parse_manifest(manifest_text(plain)), plain);
}

TEST(Manifest, RejectsEverySingleFlippedBitAndEveryLength) {
  std::string text = manifest_text(kExample);
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(parse_manifest(text), DamagedCheckpoint) << bit;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  }
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_THROW(parse_manifest(text.substr(0, length)), DamagedCheckpoint) << length;
  }
}

TEST(Manifest, SurvivesHostileTextsWithACorrectChecksum) {
  const std::string good = manifest_text(kExample);
  const std::size_t body = good.rfind(",\"checksum\"");
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      text[random() % body] = static_cast<char>(random());
    }
    try {
      parse_manifest(with_checksum(text));
      ++accepted;
    } catch (const DamagedCheckpoint&) {
    } catch (const UnknownFormatVersion&) {
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 10'000);
}

TEST(Manifest, ALaterVersionIsNotDamage) {
  std::string text = manifest_text(kExample);
  const std::string now = "\"manifest_version\":1";
  text.replace(text.find(now), now.size(), "\"manifest_version\":2");
  EXPECT_THROW(parse_manifest(text), DamagedCheckpoint) << "without its checksum it is";
  EXPECT_THROW(parse_manifest(with_checksum(text)), UnknownFormatVersion);
}

}  // namespace
}  // namespace spottrain
