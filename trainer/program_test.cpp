// Tests spottrain as users run it: a process with options, signals and exit codes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "base/files/folder_for_test.h"
#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/manifest.h"
#include "trainer/checkpoint/store.h"
#include "trainer/program_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// A small data set, and commands that train on it: 80 images in batches of 16, so 5 steps an epoch.
class SpottrainProgram : public testing::Test {
 protected:
  SpottrainProgram() {
    EXPECT_EQ(run({"synthesize", data().string(), "--train", "80", "--test", "20"}).status, 0);
  }
  fs::path data() const { return folder_ / "data"; }
  fs::path checkpoints() const { return folder_ / "checkpoints"; }
  Arguments train(const Arguments& more = {}) const {
    Arguments words{"train",   "--data", data().string(), "--checkpoints", checkpoints().string(),
                    "--batch", "16"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  base::FolderForTest folder_;
};

TEST_F(SpottrainProgram, ReportsEveryStepAndEveryCheckpoint) {
  const Outcome outcome = run(train({"--epochs", "2"}));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  std::string story;
  for (const auto& line : outcome.lines) {
    EXPECT_EQ(line.at("source"), "trainer");
    story += line.at("event").get<std::string>() + " " + line.at("step").dump() + "; ";
  }
  EXPECT_EQ(story,
            "start 0; step 1; step 2; step 3; step 4; step 5; checkpoint-begin 5; "
            "checkpoint-durable 5; step 6; step 7; step 8; step 9; step 10; checkpoint-begin 10; "
            "checkpoint-durable 10; finished 10; ");
  const auto start = outcome.lines.front();
  EXPECT_EQ(start.at("total_steps"), 10);
  EXPECT_EQ(start.at("steps_per_epoch"), 5);
  EXPECT_TRUE(start.at("checkpoint").is_null());
  EXPECT_TRUE(start.at("step_seconds").is_null());
  const auto saved = lines_of(outcome.lines, "checkpoint-durable")[0];
  EXPECT_EQ(saved.at("path"), fs::absolute(checkpoints() / checkpoint_name(5)).string());
  EXPECT_EQ(saved.at("bytes"), fs::file_size(checkpoints() / checkpoint_name(5)));
}

TEST_F(SpottrainProgram, AFinishedTrainingFinishesAgainAtOnce) {
  ASSERT_EQ(run(train({"--epochs", "1"})).status, 0);
  const Outcome again = run(train({"--epochs", "1"}));
  EXPECT_EQ(again.status, 0);
  ASSERT_EQ(again.lines.size(), 2u);
  EXPECT_EQ(again.lines[0].at("checkpoint"), checkpoint_name(5));
  EXPECT_EQ(again.lines[1].at("event"), "finished");
}

TEST_F(SpottrainProgram, MaxStepsStopsLikeANotice) {
  const Outcome outcome = run(train({"--epochs", "2", "--max-steps", "3"}));
  EXPECT_EQ(outcome.status, 75);
  EXPECT_EQ(outcome.lines.back().at("event"), "stop");
  EXPECT_EQ(outcome.lines.back().at("reason"), "max-steps");
  EXPECT_TRUE(fs::exists(checkpoints() / checkpoint_name(3)));
}

TEST_F(SpottrainProgram, APolicyMayBeAProgramWithArguments) {
  const fs::path program = folder_ / "a policy.sh";
  base::write_content(program, R"(#!/bin/sh
while read -r line; do
  case "$line" in
    *"\"step\":$1,"*) echo '{"save": "incremental"}' ;;
    *) echo '{"save": "no"}' ;;
  esac
done
)");
  fs::permissions(program, fs::perms::owner_all);
  const std::string policy = "none,command:'" + program.string() + "' 3";
  const Outcome outcome = run(train({"--epochs", "1", "--policy", policy}));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto begun = lines_of(outcome.lines, "checkpoint-begin");
  ASSERT_EQ(begun.size(), 2u);
  EXPECT_EQ(begun[0].at("step"), 3);
  EXPECT_EQ(begun[0].at("reason"), "command:'" + program.string() + "' 3");
  EXPECT_EQ(begun[1].at("reason"), "finished");
}

TEST_F(SpottrainProgram, APolicysClockIsTheTimeSince1970) {
  const fs::path program = folder_ / "policy.sh";
  base::write_content(program, R"(#!/bin/sh
while read -r line; do
  echo "$line" > "$1"
  echo '{"save": "no"}'
done
)");
  fs::permissions(program, fs::perms::owner_all);
  const auto since_1970 = [] {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
  };
  const double begin = since_1970();
  const std::string policy = "command:" + program.string() + " " + (folder_ / "seen").string();
  ASSERT_EQ(run(train({"--epochs", "1", "--policy", policy})).status, 0);
  std::ifstream seen(folder_ / "seen");
  const auto last = nlohmann::json::parse(seen);
  EXPECT_GE(last.at("now").get<double>(), begin - 1);
  EXPECT_LE(last.at("now").get<double>(), since_1970() + 1);
  EXPECT_LT(last.at("last_checkpoint_time"), last.at("now"));
  EXPECT_GE(last.at("last_checkpoint_time").get<double>(), begin - 1);
}

TEST_F(SpottrainProgram, HelpListsTheAcceptedPolicies) {
  const fs::path output = folder_ / "help";
  base::write_content(output, "");
  ASSERT_EQ(run({"train", "--help"}, {}, output.c_str()).status, 0);
  std::ostringstream help;
  help << std::ifstream(output).rdbuf();
  EXPECT_NE(help.str().find("daly:M ("), std::string::npos) << help.str();
  for (const char* refused : {"ewma", "prior:", "rising-edge", "threshold:", "eic (", "oracle ("})
    EXPECT_EQ(help.str().find(refused), std::string::npos) << refused;
}

TEST_F(SpottrainProgram, AStepTakesAtLeastTheEmulatedTime) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run(train({"--epochs", "1"}), {{"EMULATE_STEP_TIME", "20ms"}});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
  EXPECT_EQ(outcome.lines[0].at("step_seconds"), 0.02);
}

TEST_F(SpottrainProgram, FoldersMayComeFromTheEnvironment) {
  const Outcome outcome =
      run({"train", "--epochs", "1"},
          {{"DATA_DIR", data().string()}, {"CHECKPOINT_DIR", checkpoints().string()}});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(fs::exists(checkpoints() / "train.csv"));
}

TEST_F(SpottrainProgram, OmitsProgressLinesWithoutAReaderOfTheFifo) {
  const fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(run(train({"--epochs", "1"}), {{"JOB_EVENTS", fifo.string()}}).status, 0);
}

TEST_F(SpottrainProgram, AFullLogDiskEndsNoTraining) {
  const Outcome outcome = run(train({"--epochs", "1"}), {{"JOB_EVENTS", "/dev/full"}}, "/dev/full");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("progress line not written to /dev/full"), std::string::npos);
}

TEST_F(SpottrainProgram, AppendsProgressLinesToAFile) {
  const fs::path events = folder_ / "events";
  base::write_content(events, "{\"before\": true}\n");
  ASSERT_EQ(run(train({"--epochs", "1"}), {{"JOB_EVENTS", events.string()}}).status, 0);
  const std::string text = base::file_content(events);
  EXPECT_TRUE(text.starts_with("{\"before\": true}\n{\"source\":\"trainer\",\"event\":\"start\","));
  EXPECT_TRUE(text.ends_with("{\"source\":\"trainer\",\"event\":\"finished\",\"step\":5}\n"));
}

TEST_F(SpottrainProgram, TrainsAUsersModelAndHoldsImagesOut) {
  const fs::path model = folder_ / "mine.model", metrics = folder_ / "metrics.jsonl";
  base::write_content(model,
                      "conv 4 stride=4\nbatch-norm\nrelu\nglobal-average-pool\ndense classes\n");
  const Arguments more{"--model",        model.string(), "--optimizer", "adamw",
                       "--schedule",     "one-cycle",    "--augment",   "crop:4,flip",
                       "--validation",   "0.2",          "--metrics",   metrics.string(),
                       "--weight-decay", "0.01",         "--epochs",    "2"};
  const Outcome outcome = run(train(more));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.lines[0].at("steps_per_epoch"), 4);  // 64 of 80 images
  const auto row = nlohmann::json::parse(
      base::file_content(metrics).substr(0, base::file_content(metrics).find('\n')));
  EXPECT_EQ(row.at("epoch"), 1);
  EXPECT_TRUE(row.at("validation_accuracy").is_number());
  EXPECT_TRUE(row.at("test_accuracy").is_number());
}

TEST_F(SpottrainProgram, BenchMeasuresAndLeavesNothingBehind) {
  const fs::path place = folder_ / "bench", output = folder_ / "output";
  fs::create_directory(place);
  base::write_content(output, "");
  const Outcome outcome = run({"bench", "--model", "cnn-8-16", "--batch", "4", "--steps", "2",
                               "--folder", place.string(), "--json"},
                              {}, output.c_str());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto result = nlohmann::json::parse(base::file_content(output));
  EXPECT_GT(result.at("images_per_second"), 0);
  EXPECT_TRUE(result.at("layer_seconds").contains("conv2"));
  EXPECT_GT(result.at("checkpoint_bytes"), 2 * 4 * 3962);
  EXPECT_LE(result.at("async_checkpoint").at("stall_seconds").at("best"),
            result.at("async_checkpoint").at("durable_seconds").at("best"));
  EXPECT_TRUE(fs::is_empty(place));
}

// Errors of the command line and of the data are printed, with exit code 2.
struct BadInput {
  Arguments more;
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const BadInput& bad) {
  return out << fmt::format("{}", fmt::join(bad.more, " "));
}
class SpottrainBadInput : public SpottrainProgram, public testing::WithParamInterface<BadInput> {};
TEST_P(SpottrainBadInput, ExitsWithCodeTwo) {
  const Outcome outcome = run(train(GetParam().more));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find(GetParam().message), std::string::npos) << outcome.errors;
  EXPECT_FALSE(fs::exists(checkpoints()));
}
INSTANTIATE_TEST_SUITE_P(
    Cases, SpottrainBadInput,
    testing::Values(
        BadInput{{"--no-such-option"}, "--no-such-option"},
        BadInput{{"--epcohs", "3"}, "found unknown option \"--epcohs\", expected \"--epochs\""},
        BadInput{{"--policy", "eic"}, "'eic': needs to know the spot price"},
        BadInput{{"--stop-file", "/"}, "stop file /: is there already"},
        BadInput{{"--policy", "sometimes"}, "'sometimes': is unknown; known: epoch, steps:K"},
        BadInput{{"--keep-best", "-1"}, "--keep-best: expected 0"},
        BadInput{{"--checkpoint-mode", "later"}, "expected one of: async sync"},
        BadInput{{"--keep", "1"}, "--keep: expected at least 2"},
        BadInput{{"--epochs", "0"}, "--epochs: expected 1"},
        BadInput{{"--seed", "-1"}, "--seed: found '-1', expected 0 to 18446744073709551615"},
        BadInput{{"--schedule", "linear"}, "schedule 'linear'"},
        BadInput{{"--schedule", "warm-up:2,cosine", "--epochs", "2"},
                 "the warm-up takes all of the 2 epochs"},
        BadInput{{"--labels", "coarse"}, "holds CIFAR-10, but only CIFAR-100 has coarse labels"},
        BadInput{{"--model", "resnet21"}, "model 'resnet21': No such file"},
        BadInput{{"--optimizer", "rmsprop"}, "expected one of: adam adamw nesterov sgd"},
        BadInput{{"--optimizer", "adam", "--momentum", "0.5"},
                 "--momentum: has no meaning for this --optimizer"},
        BadInput{{"--augment", "rotate"}, "augmentation 'rotate'"},
        BadInput{{"--validation", "80"}, "'80' held out for validation"},
        BadInput{{"--emulate-step-time", "4.5"}, "'4.5': expected a duration"},
        BadInput{{"--learning-rate", "nan"}, "--learning-rate: expected above 0"},
        BadInput{{"--device", "tpu"}, "--device: found 'tpu', expected one of: cpu cuda"},
        BadInput{{"--device", "1"}, "--device: found '1', expected one of: cpu cuda"},
        BadInput{{"--engine", "blas"}, "--engine: found 'blas', expected one of: auto eigen fast"},
        BadInput{{"--device", "cuda", "--engine", "eigen"},
                 "--engine: has no meaning for --device"},
        BadInput{{"--precision", "fp64"}, "found 'fp64', expected one of: bf16 fp32"},
        BadInput{{"--precision", "tf32"}, "--precision: tf32 and bf16 need --device"},
        BadInput{{"--device", "cpu", "--precision", "bf16"},
                 "--precision: tf32 and bf16 need --device cuda"}));

// The command may be right and the machine unsuitable, so this is not bad input.
TEST_F(SpottrainProgram, CudaWithoutAGpuFailsAndWritesNothing) {
  const Outcome outcome = run(train({"--device", "cuda"}), {{"CUDA_VISIBLE_DEVICES", ""}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.errors.starts_with("spottrain: --device cuda: no ")) << outcome.errors;
  EXPECT_FALSE(fs::exists(checkpoints()));
  EXPECT_EQ(run({"bench", "--device", "cuda"}, {{"CUDA_VISIBLE_DEVICES", ""}}).status, 1);
  EXPECT_EQ(run({"bench", "--precision", "bf16"}).status, 2);
}

TEST_F(SpottrainProgram, ACpuIsDeterministicAnyway) {
  const fs::path asked = folder_ / "asked";
  ASSERT_EQ(run(train({"--epochs", "1"})).status, 0);
  ASSERT_EQ(
      run(train({"--epochs", "1", "--deterministic", "--checkpoints", asked.string()})).status, 0);
  EXPECT_TRUE(base::file_content(checkpoints() / checkpoint_name(5)) ==
              base::file_content(asked / checkpoint_name(5)));
}

TEST_F(SpottrainProgram, AMissingDataSetIsBadInput) {
  const Outcome outcome =
      run({"train", "--data", "/nonexistent", "--checkpoints", checkpoints().string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("/nonexistent: No such file"), std::string::npos);
}

TEST_F(SpottrainProgram, ACheckpointOfAnotherTrainingIsNeverContinuedOrTrainedOver) {
  ASSERT_EQ(run(train({"--epochs", "1"})).status, 0);
  const std::string before = base::file_content(checkpoints() / checkpoint_name(5));
  const Outcome seed = run(train({"--epochs", "2", "--seed", "9"}));
  EXPECT_EQ(seed.status, 2);
  EXPECT_NE(seed.errors.find("seed 1, now 9"), std::string::npos) << seed.errors;

  ASSERT_EQ(run({"synthesize", data().string(), "--train", "80", "--test", "21"}).status, 0);
  const Outcome other_data = run(train({"--epochs", "2"}));
  EXPECT_EQ(other_data.status, 2);
  EXPECT_NE(other_data.errors.find("data_fingerprint "), std::string::npos) << other_data.errors;
  EXPECT_EQ(base::file_content(checkpoints() / checkpoint_name(5)), before);
}

TEST_F(SpottrainProgram, ACheckpointOfAnotherGeneratorIsNeitherContinuedNorTrainedOver) {
  ASSERT_EQ(run(train({"--epochs", "1"})).status, 0);
  std::string bytes = base::file_content(checkpoints() / checkpoint_name(5));
  const std::string ours = "philox4x32-10", other = "philox4x64-10";
  bytes.replace(bytes.rfind(ours, 4096), ours.size(), other);
  Manifest manifest = parse_manifest(base::file_content(checkpoints() / manifest_name(5)));
  manifest.xxh3_128 = xxh3_128(bytes);
  base::write_content(checkpoints() / checkpoint_name(5), bytes);
  base::write_content(checkpoints() / manifest_name(5), manifest_text(manifest));
  const Outcome outcome = run(train({"--epochs", "2"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("of generator '" + other + "', this program knows " + ours),
            std::string::npos)
      << outcome.errors;
  EXPECT_TRUE(base::file_content(checkpoints() / checkpoint_name(5)) == bytes);
}

TEST_F(SpottrainProgram, CoarseLabelsOfCifar100AreAnotherTraining) {
  const fs::path hundred = folder_ / "hundred";
  fs::create_directory(hundred);
  std::string records;
  for (char image = 0; image < 20; ++image) {
    records += image;
    records += static_cast<char>(99 - image);
    records += std::string(32 * 32 * 3, image);
  }
  base::write_content(hundred / "train.bin", records);
  base::write_content(hundred / "test.bin", records);
  const Arguments fine{"--data", hundred.string(), "--epochs", "1"};
  const Arguments coarse{"--data", hundred.string(), "--epochs", "1", "--labels", "coarse"};
  ASSERT_EQ(run(train(coarse)).status, 0);
  const auto tensors = load_checkpoint(checkpoints(), 2).checkpoint.tensors;
  EXPECT_EQ(std::ranges::find(tensors, "dense1.bias", &Tensor::name)->shape,
            std::vector<std::size_t>{20});
  EXPECT_EQ(run(train(coarse)).status, 0);
  const Outcome other = run(train(fine));
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.errors.find("labels coarse, now fine"), std::string::npos) << other.errors;
}

TEST_F(SpottrainProgram, ASetThatCannotBeTrainedOnIsNotMade) {
  const std::string folder = (folder_ / "none").string();
  for (const char* option : {"--train", "--test", "--seed"}) {
    const Outcome outcome = run({"synthesize", folder, option, "-1"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find(std::string(option) + ": found '-1', expected "),
              std::string::npos)
        << outcome.errors;
  }
  EXPECT_EQ(run({"synthesize", folder, "--train", "0"}).status, 2);
  EXPECT_EQ(run({"synthesize", folder, "--test", "0"}).status, 2);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(SpottrainProgram, BothModesWriteTheSameBytes) {
  ASSERT_EQ(run(train({"--epochs", "2"})).status, 0);
  const fs::path async = folder_ / "async";
  const Outcome outcome =
      run(train({"--epochs", "2", "--checkpoint-mode", "async", "--checkpoints", async.string()}));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(lines_of(outcome.lines, "checkpoint-durable").size(), 2u);
  for (const std::string& name : {checkpoint_name(5), manifest_name(5), checkpoint_name(10)}) {
    EXPECT_TRUE(base::file_content(checkpoints() / name) == base::file_content(async / name))
        << name;
  }
}

class Inspection : public SpottrainProgram {
 protected:
  Inspection() { EXPECT_EQ(run(train({"--epochs", "2"})).status, 0); }
  // A command's output and exit status.
  std::pair<int, std::string> printed(const Arguments& arguments) const {
    const fs::path file = folder_ / "printed";
    base::write_content(file, "");
    const int status = run(arguments, {}, file.c_str()).status;
    return {status, base::file_content(file)};
  }
  std::string data_file() const { return (checkpoints() / checkpoint_name(10)).string(); }
  std::string manifest() const { return (checkpoints() / manifest_name(10)).string(); }
};

TEST_F(Inspection, VerifyDistinguishesIntactFromDamaged) {
  EXPECT_EQ(printed({"verify", data_file()}).first, 0);
  EXPECT_EQ(printed({"verify", manifest()}).first, 0);
  EXPECT_EQ(printed({"verify", checkpoints().string()}).first, 0);
  fs::resize_file(data_file(), 1000);
  const auto [status, text] = printed({"verify", manifest()});
  EXPECT_EQ(status, 1);
  EXPECT_TRUE(text.starts_with("step-0000000010.safetensors  it has 1000 bytes of ")) << text;
  EXPECT_EQ(printed({"inspect", data_file()}).first, 1);
}

TEST_F(Inspection, AFolderIsListedWithVerdicts) {
  fs::remove(manifest());
  const auto [status, text] = printed({"verify", checkpoints().string()});
  EXPECT_EQ(status, 1);
  EXPECT_NE(text.find("step-0000000005.safetensors  whole"), std::string::npos) << text;
  EXPECT_NE(text.find("step-0000000010.safetensors  unfinished: it has no manifest"),
            std::string::npos)
      << text;
  const auto json =
      nlohmann::json::parse(printed({"inspect", "--json", checkpoints().string()}).second);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0].at("step"), 5);
  EXPECT_EQ(json[0].at("bytes"), fs::file_size(checkpoints() / checkpoint_name(5)));
}

TEST_F(Inspection, JsonHasEverythingExceptTheValues) {
  const auto [status, text] = printed({"inspect", data_file(), "--json"});
  EXPECT_EQ(status, 0);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json.at("verdict"), "whole");
  EXPECT_EQ(json.at("epoch"), 2);
  EXPECT_EQ(json.at("configuration").at("batch_size"), 16);
  EXPECT_EQ(json.at("tensors")[0].at("name"), "conv1.weight");
  EXPECT_EQ(json.at("tensors")[0].at("xxh3").get<std::string>().size(), 16u);
  EXPECT_GT(json.at("metric"), 0);
  EXPECT_EQ(json.at("format_version"), 1);
  EXPECT_EQ(json.at("data_order").dump(), R"({"batch":0,"epoch":2,"generator":"philox4x32-10"})");
  EXPECT_EQ(json.at("random").at("position"), 10);
  EXPECT_EQ(json.at("epoch_sums").at("images"), 0);
}

TEST_F(Inspection, APathWithoutACheckpointIsBadInput) {
  EXPECT_EQ(run({"verify", (data() / "test_batch.bin").string()}).status, 2);
  EXPECT_EQ(run({"inspect", "/nonexistent"}).status, 2);
  const Outcome empty = run({"verify", data().string()});
  EXPECT_EQ(empty.status, 1);
  EXPECT_NE(empty.errors.find("no checkpoints in"), std::string::npos) << empty.errors;
}

}  // namespace
}  // namespace spottrain
