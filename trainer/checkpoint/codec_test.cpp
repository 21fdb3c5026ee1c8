#include "trainer/checkpoint/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "base/files/folder_for_test.h"
#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/example_for_test.h"
#include "trainer/checkpoint/safetensors.h"

namespace spottrain {
namespace {

std::string why_damaged(const std::string& bytes) {
  try {
    decode(bytes);
  } catch (const DamagedCheckpoint& error) {
    return error.what();
  }
  return "";
}

// The length of the header, the header without its padding, and the values.
struct Parts {
  std::string header, values;
  explicit Parts(const std::string& bytes) {
    std::uint64_t length;
    std::memcpy(&length, bytes.data(), sizeof length);
    header = bytes.substr(8, length);
    header.resize(header.find_last_not_of(' ') + 1);
    values = bytes.substr(8 + length);
  }
  std::string whole() const {
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + values;
  }
  void replace(const std::string& from, const std::string& to) {
    const auto at = header.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    header.replace(at, from.size(), to);
  }
};

TEST(CheckpointCodec, DecodesToWhatWasEncoded) {
  EXPECT_EQ(decode(encode(example_checkpoint())), example_checkpoint());
  Checkpoint without_metric = example_checkpoint();
  without_metric.metric.reset();
  EXPECT_EQ(decode(encode(without_metric)), without_metric);
}

TEST(CheckpointCodec, KeepsTheBitsOfADivergedTraining) {
  Checkpoint checkpoint = example_checkpoint();
  checkpoint.epoch_sums.loss = -std::nan("");
  checkpoint.values[0] = std::numeric_limits<float>::quiet_NaN();
  const Checkpoint again = decode(encode(checkpoint));
  EXPECT_TRUE(std::isnan(again.epoch_sums.loss));
  EXPECT_EQ(std::memcmp(again.values.data(), checkpoint.values.data(), 8 * sizeof(float)), 0);
}

TEST(CheckpointCodec, ValuesBeginAtAPage) {
  EXPECT_EQ(encode_prefix(example_checkpoint()).size(), 4096u);
}

TEST(CheckpointCodec, AReaderWrittenFromTheSpecificationReadsIt) {
  const base::FolderForTest folder;
  base::write_content(folder / "file", encode(example_checkpoint()));
  const std::string command = "python3 " SPOTSIM_SOURCE_DIR
                              "/trainer/checkpoint/read_safetensors.py " +
                              (folder / "file").string();
  const std::unique_ptr<FILE, decltype(&pclose)> output(popen(command.c_str(), "r"), &pclose);
  std::string text;
  for (int c; (c = std::fgetc(output.get())) != EOF;) text += static_cast<char>(c);
  const auto json = nlohmann::json::parse(text);
  const auto& metadata = json.at("metadata");
  EXPECT_EQ(metadata.at("step"), "42");
  EXPECT_EQ(metadata.at("data_order"), R"({"generator":"philox4x32-10","epoch":4,"batch":2})");
  EXPECT_EQ(nlohmann::json::parse(metadata.at("configuration").get<std::string>()).at("seed"),
            UINT64_MAX);
  const auto& tensors = json.at("tensors");
  EXPECT_EQ(tensors.at("w").at("shape"), (std::vector{2, 3}));
  EXPECT_EQ(tensors.at("w").at("values"), (std::vector<float>{1, -2, 3, 1e-40f, 5, 6}));
  EXPECT_EQ(tensors.at("momentum/w").at("values"), std::vector{0.5f});
  EXPECT_EQ(tensors.at("scalar").at("values"), std::vector{42.0f});
}

TEST(CheckpointCodec, RejectsEveryWrongLength) {
  const std::string bytes = encode(example_checkpoint());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode(std::string_view(bytes).substr(0, length)), DamagedCheckpoint) << length;
  }
  EXPECT_THROW(decode(bytes + "x"), DamagedCheckpoint);
}

// Headers of an attacker or a bug. Nothing crashes, and accepted ones are valid.
TEST(CheckpointCodec, SurvivesHostileHeaders) {
  const Parts good(encode(example_checkpoint()));
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    Parts parts = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % parts.header.size();
      switch (random() % 3) {
        case 0:
          parts.header[at] = static_cast<char>(random());
          break;
        case 1:
          parts.header.insert(at, 1, static_cast<char>(random()));
          break;
        default:
          parts.header.erase(at, 1 + random() % 3);
      }
    }
    try {
      const Checkpoint checkpoint = decode(parts.whole());
      ++accepted;
      std::size_t size = 0;
      for (const Tensor& tensor : checkpoint.tensors) size += tensor.size();
      ASSERT_EQ(size, checkpoint.values.size());
      ASSERT_GE(checkpoint.step, 0);
      ASSERT_GE(checkpoint.steps_per_epoch, 1);
      differences(checkpoint.configuration, example_checkpoint().configuration);
    } catch (const DamagedCheckpoint&) {
    } catch (const UnknownFormatVersion&) {
    }
  }
  EXPECT_GT(accepted, 0) << "a changed value is a checkpoint: the manifest's checksum tells it";
  EXPECT_LT(accepted, 10'000);
}

TEST(CheckpointCodec, SurvivesHostileBytes) {
  const std::string good = encode(example_checkpoint());
  std::mt19937 random(2);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      bytes[random() % (random() % 2 ? 8 : bytes.size())] = static_cast<char>(random());
    }
    try {
      decode(bytes);
    } catch (const DamagedCheckpoint&) {
    } catch (const UnknownFormatVersion&) {
    }
  }
}

struct WrongHeader {
  const char* from;
  const char* to;
  const char* message;
};
class WrongHeaders : public testing::TestWithParam<WrongHeader> {};
TEST_P(WrongHeaders, AreReported) {
  Parts parts(encode(example_checkpoint()));
  parts.replace(GetParam().from, GetParam().to);
  EXPECT_NE(why_damaged(parts.whole()).find(GetParam().message), std::string::npos)
      << why_damaged(parts.whole());
}
INSTANTIATE_TEST_SUITE_P(
    Cases, WrongHeaders,
    testing::Values(
        WrongHeader{"[2,3]", "[4294967296,4294967296,4294967296]",
                    "tensor w has an impossible shape"},
        WrongHeader{"[2,3]", "[2,0]", "tensor w has an impossible shape"},
        WrongHeader{"[2,3]", "[2,4]", "tensor w does not lie at bytes 0 to 24"},
        WrongHeader{"[2,3]", "[2.0,3]", "extent 2.0 is no count"},
        WrongHeader{"[0,24]", "[4,28]", "tensor w does not lie at bytes 4 to 28"},
        WrongHeader{"[28,32]", "[0,4]", "does not lie at bytes"},
        WrongHeader{R"("dtype":"F32","shape":[1])", R"("dtype":"BF16","shape":[1])",
                    "tensor momentum/w is of type \"BF16\", expected F32"},
        WrongHeader{R"("scalar":{)", R"("other":{)", "its metadata lack xxh3/other"},
        WrongHeader{R"("step":"42")", R"("step":"42x")", "its step '42x' is no number"},
        WrongHeader{R"("step":"42")", R"("step":"-1")", "step -1 of 10 an epoch is impossible"},
        WrongHeader{R"("format":"spottrain")", R"("format":"pt")", "none of spottrain's"},
        WrongHeader{R"(\"batch_size\":3)", R"(\"batch_size\":[3])", "no object of plain values"},
        WrongHeader{R"(\"position\":42)", R"(\"position\":41)", "its random is {"},
        WrongHeader{R"(\"batch\":2)", R"(\"batch\":3)", "its data_order is {"},
        WrongHeader{R"("metric":"0.25")", R"("metric":"nan")", "its metric is no number"}));

TEST(CheckpointCodec, ReportsErrors) {
  EXPECT_EQ(why_damaged(""), "0 bytes are too few");
  EXPECT_EQ(why_damaged(std::string(100, 'x')),
            "a header of 8680820740569200760 bytes does not fit");
  std::string bytes = encode(example_checkpoint());
  bytes.back() ^= 1;
  EXPECT_EQ(why_damaged(bytes), "the checksum of scalar is wrong");
}

TEST(CheckpointCodec, ALaterVersionIsNotDamage) {
  Parts parts(encode(example_checkpoint()));
  parts.replace(R"("format_version":"1")", R"("format_version":"2")");
  EXPECT_THROW(decode(parts.whole()), UnknownFormatVersion);
}

TEST(CheckpointCodec, AnotherGeneratorIsAnotherVersion) {
  for (const std::string key : {R"("data_order":")", R"("random":")"}) {
    Parts parts(encode(example_checkpoint()));
    const std::string generator = R"({\"generator\":\")";
    parts.replace(key + generator + "philox4x32-10", key + generator + "mt19937");
    try {
      decode(parts.whole());
      ADD_FAILURE() << key;
    } catch (const UnknownFormatVersion& error) {
      EXPECT_NE(std::string(error.what()).find("'mt19937', this program knows philox4x32-10"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Configuration, DifferencesNameBothValues) {
  const Configuration saved{{"seed", 1}, {"schedule", "constant"}, {"dropout", 0.5}};
  EXPECT_TRUE(differences(saved, saved).empty());
  EXPECT_EQ(differences(saved, {{"seed", 2}, {"schedule", "cosine"}, {"augment", true}}),
            (std::vector<std::string>{"seed 1, now 2", "schedule constant, now cosine",
                                      "dropout 0.5, now absent", "augment absent, now true"}));
}

}  // namespace
}  // namespace spottrain
