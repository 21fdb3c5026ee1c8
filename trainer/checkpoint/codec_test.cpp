#include "trainer/checkpoint/codec.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace spottrain {
namespace {

Checkpoint example() {
  return {.step = 42,
          .steps_per_epoch = 10,
          .configuration = {.model = "m",
                            .seed = UINT64_MAX,
                            .batch_size = 3,
                            .learning_rate = 0.1,
                            .momentum = 0.9,
                            .weight_decay = 5e-4,
                            .schedule = "constant",
                            .data_fingerprint = "abc"},
          .numeric_class = "test",
          .epoch_sums = {.loss = 1.0 / 3, .correct = 4, .images = 6},
          .tensors = {{"w", {2, 3}, {1, -2, 3, 1e-40f, 5, 6}}, {"momentum/w", {1}, {0.5f}}}};
}

// The bytes with the checksum that they should have: what an adversary or a bug would write.
std::string with_checksum(std::string bytes) {
  bytes.resize(bytes.size() - 16);
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(bytes.data(), bytes.size()));
  return bytes.append(reinterpret_cast<const char*>(hash.digest), 16);
}

std::string why_damaged(const std::string& bytes) {
  try {
    decode(bytes);
  } catch (const DamagedCheckpoint& error) {
    return error.what();
  }
  return "";
}

TEST(CheckpointCodec, DecodesToWhatWasEncoded) { EXPECT_EQ(decode(encode(example())), example()); }

TEST(CheckpointCodec, KeepsTheBitsOfADivergedTraining) {
  Checkpoint checkpoint = example();
  checkpoint.epoch_sums.loss = std::nan("");
  checkpoint.tensors[0].values[0] = std::numeric_limits<float>::quiet_NaN();
  const Checkpoint again = decode(encode(checkpoint));
  EXPECT_TRUE(std::isnan(again.epoch_sums.loss));
  EXPECT_EQ(std::memcmp(again.tensors[0].values.data(), checkpoint.tensors[0].values.data(), 24),
            0);
}

TEST(CheckpointCodec, RejectsEveryLengthButTheRightOne) {
  const std::string bytes = encode(example());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode(std::string_view(bytes).substr(0, length)), DamagedCheckpoint) << length;
  }
  EXPECT_THROW(decode(bytes + "x"), DamagedCheckpoint);
}

TEST(CheckpointCodec, RejectsEverySingleFlippedBit) {
  std::string bytes = encode(example());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(decode(bytes), DamagedCheckpoint) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
}

TEST(CheckpointCodec, SurvivesHostileBytesWithARightChecksum) {
  const std::string good = encode(example());
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.insert(at, 1, static_cast<char>(random()));
          break;
        default:
          bytes.erase(at, 1 + random() % 3);
      }
    }
    if (bytes.size() < 16) continue;
    try {
      const Checkpoint checkpoint = decode(with_checksum(bytes));
      ++accepted;
      for (const Tensor& tensor : checkpoint.tensors) {
        std::size_t size = 1;
        for (const std::size_t extent : tensor.shape) size *= extent;
        ASSERT_EQ(size, tensor.values.size());
      }
    } catch (const DamagedCheckpoint&) {
    } catch (const UnknownFormatVersion&) {
    }
  }
  EXPECT_GT(accepted, 0) << "a changed value with a right checksum is a checkpoint";
  EXPECT_LT(accepted, 10'000);
}

TEST(CheckpointCodec, ShapesThatOverflowDoNotFit) {
  std::string bytes = encode(example());
  const auto at = bytes.find("[2,3]");
  ASSERT_NE(at, std::string::npos);
  const std::string huge = "[4294967296,4294967296,4294967296]";
  bytes.replace(at, 5, huge);
  const auto length = static_cast<std::uint32_t>(bytes.find("]}]}") + 4 - 16);
  std::memcpy(bytes.data() + 12, &length, sizeof length);
  EXPECT_EQ(why_damaged(with_checksum(bytes)), "tensor w does not fit the payload");
}

TEST(CheckpointCodec, SaysWhatIsWrong) {
  EXPECT_EQ(why_damaged(""), "0 bytes are too few");
  EXPECT_EQ(why_damaged(std::string(100, 'x')), "it does not begin as a checkpoint does");
  std::string bytes = encode(example());
  bytes[40] ^= 1;
  EXPECT_EQ(why_damaged(bytes), "its checksum is wrong");
}

TEST(CheckpointCodec, ALaterVersionIsNotDamage) {
  std::string bytes = encode(example());
  bytes[8] = 2;
  EXPECT_THROW(decode(with_checksum(bytes)), UnknownFormatVersion);
}

}  // namespace
}  // namespace spottrain
