// Tests the ways to stop spottrain, and a run in SageMaker's container.
#include <gtest/gtest.h>

#include <atomic>
#include <ctime>

#include "trainer/spot/metadata_server_for_test.h"
#include "trainer/survival_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class Interruption : public Survival {
 protected:
  // Steps take half a second, so that the test has time to send a signal.
  Arguments slow(const Arguments& more) const {
    Arguments words = train("interrupted", {"--emulate-step-time", "500ms"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

// A service that shows a notice with this time when the test asks for it.
class Ec2 {
 public:
  void interrupt() { interrupted_ = true; }
  ::testing::AssertionResult stops(Program& program, const std::string& reason) {
    const int status = program.wait();
    if (status != 75) return ::testing::AssertionFailure() << status << " " << program.errors();
    const auto stop = lines_of(program.lines(), "stop");
    if (stop.size() != 1 || stop[0].at("reason") != reason) {
      return ::testing::AssertionFailure() << nlohmann::json(stop).dump();
    }
    return ::testing::AssertionSuccess();
  }
  Environment environment() const {
    return {{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server_.endpoint()}};
  }

 private:
  TestReply answer(const TestRequest& request) const {
    if (request.method == "PUT") return {200, "secret"};
    if (request.token != "secret") return {401, "<html>"};
    if (!interrupted_ || !request.path.ends_with("spot/instance-action")) return {404, "<html>"};
    const std::time_t at = std::time(nullptr) + 120;
    std::tm parts{};
    gmtime_r(&at, &parts);
    char time[32];
    std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {200, R"({"action": "terminate", "time": ")" + std::string(time) + "\"}"};
  }

  std::atomic<bool> interrupted_ = false;
  MetadataServer server_{[this](const TestRequest& request) { return answer(request); }};
};

TEST_F(Interruption, ANoticeInInstanceMetadataSavesAndStops) {
  Ec2 ec2;
  Program program(slow({"--imds", "--imds-interval", "10ms"}), ec2.environment());
  ASSERT_TRUE(program.read_until("step", 1));
  ec2.interrupt();
  EXPECT_TRUE(ec2.stops(program, "spot/instance-action: terminate"));
  const auto saved = lines_of(program.lines(), "checkpoint-durable");
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].at("step"), lines_of(program.lines(), "stop")[0].at("step"));
  EXPECT_NE(program.errors().find("s before the end; saved up to step"), std::string::npos)
      << program.errors();
  expect_same_end("interrupted");
}

// Policies see the notice's remaining time, less the reserve of the program that runs the trainer.
TEST_F(Interruption, TheTimeLeftIsThatOfTheNoticeLessTheReserve) {
  Ec2 ec2;
  const auto policy = folder_ / "policy.sh", told = folder_ / "told";
  base::write_content(policy, "#!/bin/sh\nwhile read -r line; do echo \"$line\" >> " +
                                  told.string() + "; echo '{\"save\": \"no\"}'; done\n");
  fs::permissions(policy, fs::perms::owner_all);
  Program program(slow({"--imds", "--imds-interval", "10ms", "--notice-reserve", "20s", "--policy",
                        "command:" + policy.string()}),
                  ec2.environment());
  ASSERT_TRUE(program.read_until("step", 1));
  ec2.interrupt();
  EXPECT_TRUE(ec2.stops(program, "spot/instance-action: terminate"));
  const std::string lines = base::file_content(told);
  const auto last = nlohmann::json::parse(lines.substr(lines.rfind('\n', lines.size() - 2) + 1));
  EXPECT_EQ(last.at("notice"), true);
  EXPECT_LE(last.at("time_left"), 100.0);
  EXPECT_GT(last.at("time_left"), 70.0);
}

TEST_F(Interruption, AMissingMetadataServiceIsReportedAndTrainingContinues) {
  const Outcome outcome = run(train("alone", {"--imds"}),
                              {{"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:1"}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("cannot look for interruption notices"), std::string::npos);
}

TEST_F(Interruption, AStopFileSavesAndStops) {
  const auto file = folder_ / "stop";
  Program program(slow({"--stop-file", file.string()}));
  ASSERT_TRUE(program.read_until("step", 1));
  base::write_content(file, "");
  EXPECT_EQ(program.wait(), 75) << program.errors();
  EXPECT_EQ(lines_of(program.lines(), "stop")[0].at("reason"), "stop file");
  const Outcome again = run(slow({"--stop-file", file.string()}));
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.errors.find("is there already"), std::string::npos);
}

// The evaluation of an epoch may take longer than a notice of two minutes.
TEST_F(Interruption, ANoticeEndsAnEvaluationWhichTheNextProcessRepeats) {
  const auto data = folder_ / "large";
  ASSERT_EQ(run({"synthesize", data.string(), "--train", "80", "--test", "20000"}).status, 0);
  const auto train = [&](const std::string& name) {
    return Arguments{"train",
                     "--data",
                     data.string(),
                     "--checkpoints",
                     (folder_ / name).string(),
                     "--batch",
                     "16",
                     "--epochs",
                     "2"};
  };
  bool cut_short = false;
  for (int i = 0; i < 5 && !cut_short; ++i) {  // else it had ended already
    fs::remove_all(folder_ / "stopped");
    Program program(train("stopped"));
    ASSERT_TRUE(program.read_until("step", kStepsPerEpoch));
    program.signal(SIGTERM);
    ASSERT_EQ(program.wait(), 75) << program.errors();
    cut_short = base::file_content(folder_ / "stopped/train.csv").find("\n1,") == std::string::npos;
    EXPECT_TRUE(fs::exists(folder_ / "stopped" / checkpoint_name(kStepsPerEpoch)));
  }
  EXPECT_TRUE(cut_short);
  EXPECT_EQ(run(train("stopped")).status, 0);
  ASSERT_EQ(run(train("straight")).status, 0);
  for (const std::string& file : {checkpoint_name(2 * kStepsPerEpoch), std::string("train.csv")}) {
    EXPECT_TRUE(base::file_content(folder_ / "stopped" / file) ==
                base::file_content(folder_ / "straight" / file))
        << file;
  }
}

TEST_F(Interruption, APolicyWithAMissingInputIsBadInput) {
  const Outcome outcome = run(train("priced", {"--policy", "rising-edge"}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("needs to know the spot price, which is not known here"),
            std::string::npos)
      << outcome.errors;
}

TEST_F(Interruption, APolicyProgramThatDiesEndsTheTrainingAfterASave) {
  const auto program = folder_ / "policy.sh";
  base::write_content(program, "#!/bin/sh\nread a; echo '{\"save\": \"no\"}'; read b\n");
  fs::permissions(program, fs::perms::owner_all);
  const Outcome outcome = run(train("commanded", {"--policy", "command:" + program.string()}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("has ended"), std::string::npos) << outcome.errors;
  const auto saved = lines_of(outcome.lines, "checkpoint-durable");
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].at("step"), 2);
}

class SageMakerContainer : public Interruption {
 protected:
  SageMakerContainer() {
    fs::create_directories(root() / "input/data");
    fs::create_directories(root() / "input/config");
    fs::create_directory_symlink(folder_ / "data", root() / "input/data/training");
  }
  fs::path root() const { return folder_ / "ml"; }
  void hyperparameters(const char* text) const {
    base::write_content(root() / "input/config/hyperparameters.json", text);
  }
  Outcome train_there(const Arguments& more = {}) const {
    Arguments words{"train", "--sagemaker=" + root().string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(SageMakerContainer, TheModelIsWrittenWhereSageMakerReadsIt) {
  hyperparameters(R"({"epochs": "1", "batch": "16"})");
  fs::create_directory(root() / "model");
  const fs::path half_written = root() / "model/.model.safetensors.tmp";  // a killed process's
  base::write_content(half_written, "half");
  const Outcome outcome = train_there();
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_FALSE(fs::exists(half_written));
  EXPECT_TRUE(base::file_content(root() / "model/model.safetensors") ==
              base::file_content(root() / "checkpoints" / checkpoint_name(kStepsPerEpoch)));
  EXPECT_FALSE(fs::exists(root() / "output/failure"));
}

TEST_F(SageMakerContainer, TheCommandLineOverridesHyperparameters) {
  hyperparameters(R"({"epochs": "1", "batch": "16"})");
  const Outcome outcome = train_there({"--epochs", "2"});
  EXPECT_EQ(outcome.lines.back().at("step"), 2 * kStepsPerEpoch) << outcome.errors;
}

TEST_F(SageMakerContainer, AFailureIsWrittenToItsFile) {
  hyperparameters(R"({"epochs": "1", "policy": "rising-edge"})");
  EXPECT_EQ(train_there().status, 2);
  EXPECT_NE(base::file_content(root() / "output/failure").find("needs to know the spot price"),
            std::string::npos);
  hyperparameters(R"({"epoch_count": "1"})");
  EXPECT_EQ(train_there().status, 2);
  EXPECT_NE(base::file_content(root() / "output/failure").find("--epoch-count"), std::string::npos);
}

}  // namespace
}  // namespace spottrain
