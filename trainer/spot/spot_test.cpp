#include <gtest/gtest.h>

#include <map>

#include "base/files/folder_for_test.h"
#include "trainer/spot/interruption_watch.h"
#include "trainer/spot/meter.h"
#include "trainer/spot/sagemaker.h"

namespace spottrain {
namespace {

using namespace std::chrono_literals;

TEST(InterruptionWatch, AStopFileThatAppearsStops) {
  const base::FolderForTest folder;
  const InterruptionWatch watch({.stop_file = (folder / "stop").string()});
  EXPECT_FALSE(watch.notice());
  base::write_content(folder / "stop", "");
  ASSERT_TRUE(watch.notice());
  EXPECT_EQ(watch.notice()->reason, "stop file");
  EXPECT_FALSE(watch.notice()->deadline);
}

TEST(InterruptionWatch, AStopFileThatIsThereAtTheStartIsAnError) {
  const base::FolderForTest folder;
  base::write_content(folder / "stop", "");
  EXPECT_THROW(InterruptionWatch({.stop_file = (folder / "stop").string()}), std::invalid_argument);
}

TEST(InterruptionWatch, ASignalStops) {
  std::optional<std::string> signal;
  const InterruptionWatch watch({.signal = [&] { return signal; }});
  EXPECT_FALSE(watch.notice());
  EXPECT_FALSE(watch.rebalance());
  signal = "SIGTERM";
  EXPECT_EQ(watch.notice()->reason, "SIGTERM");
}

TEST(Meter, ReportsValuesOnceTheyAreMeasured) {
  Meter meter;
  policies::CheckpointState state;
  meter.fill(state);
  for (const policies::Input input : Meter::kSupplied) EXPECT_FALSE(is_known(state, input));
  meter.stepped(100ms);
  meter.stepped(200ms);
  meter.saved(3ms, 500ms, 1'000'000);
  meter.fill(state);
  for (const policies::Input input : Meter::kSupplied) EXPECT_TRUE(is_known(state, input));
  EXPECT_EQ(state.step_time, 120ms);
  EXPECT_EQ(state.checkpoint_cost, 3ms);
  EXPECT_DOUBLE_EQ(*state.write_speed, 2e6);
}

class SageMaker : public testing::Test {
 protected:
  std::vector<std::string> options() const {
    return sagemaker_options(
        [this](const std::string& name) -> std::optional<std::string> {
          const auto found = environment_.find(name);
          if (found == environment_.end()) return {};
          return found->second;
        },
        root_.path());
  }
  std::string error() const {
    try {
      options();
    } catch (const std::invalid_argument& what) {
      return what.what();
    }
    return "";
  }
  void add_folder(const char* name) const { std::filesystem::create_directories(root_ / name); }
  void hyperparameters(std::string_view text) const {
    add_folder("input/config");
    base::write_content(root_ / "input/config/hyperparameters.json", text);
  }

  base::FolderForTest root_;
  std::map<std::string, std::string> environment_;
};

TEST_F(SageMaker, TheContractsFoldersAreUsed) {
  add_folder("input/data/training");
  add_folder("input/data/validation");
  const std::string root = root_.path().string();
  EXPECT_EQ(options(), (std::vector{"--data=" + root + "/input/data/training",
                                    "--checkpoints=" + root + "/checkpoints",
                                    "--model-folder=" + root + "/model",
                                    "--failure-file=" + root + "/output/failure"}));
}

TEST_F(SageMaker, TheEnvironmentOverridesFolders) {
  environment_ = {{"SM_CHANNEL_TRAINING", "/data"},
                  {"SM_CHECKPOINT_DIR", "/checkpoints"},
                  {"SM_MODEL_DIR", "/model"},
                  {"SM_OUTPUT_DIR", "/output"}};
  EXPECT_EQ(options(),
            (std::vector<std::string>{"--data=/data", "--checkpoints=/checkpoints",
                                      "--model-folder=/model", "--failure-file=/output/failure"}));
}

TEST_F(SageMaker, TheOnlyChannelIsTheTrainingData) {
  EXPECT_NE(error().find("found none, expected a channel training or train"), std::string::npos);
  add_folder("input/data/cifar");
  EXPECT_EQ(options()[0], "--data=" + (root_ / "input/data/cifar").string());
  add_folder("input/data/other");
  EXPECT_NE(error().find("found cifar other, expected"), std::string::npos);
}

TEST_F(SageMaker, HyperparametersBecomeOptions) {
  add_folder("input/data/train");
  hyperparameters(R"({"epochs": "10", "learning_rate": "0.05", "model": "\"resnet20\"",
                      "keep": 5, "sagemaker_program": "\"train.py\""})");
  const auto all = options();
  EXPECT_EQ(std::vector(all.begin() + 4, all.end()),
            (std::vector<std::string>{"--epochs=10", "--learning-rate=0.05", "--model=resnet20",
                                      "--keep=5"}));
}

TEST_F(SageMaker, InvalidHyperparametersAreAnError) {
  add_folder("input/data/train");
  for (const char* bad : {"", "[]", R"({"Epochs": "1"})", R"({"a b": "1"})", R"({"epochs": [1]})",
                          R"({"epochs": null})", R"({"": "1"})", R"({"epochs": "1")"}) {
    hyperparameters(bad);
    EXPECT_NE(error().find("hyperparameters.json: "), std::string::npos) << bad;
  }
}

TEST_F(SageMaker, NamesItsHosts) {
  EXPECT_FALSE(sagemaker_hosts(root_.path()));
  add_folder("input/config");
  const auto config = root_ / "input/config/resourceconfig.json";
  std::ofstream(config) << R"({"current_host": "algo-2", "hosts": ["algo-1", "algo-2"]})";
  const auto hosts = sagemaker_hosts(root_.path());
  ASSERT_TRUE(hosts);
  EXPECT_EQ(hosts->own, "algo-2");
  EXPECT_EQ(hosts->all, (std::vector<std::string>{"algo-1", "algo-2"}));
  for (const char* bad :
       {"", "[]", R"({"current_host": "a"})", R"({"current_host": "a", "hosts": []})",
        R"({"current_host": 1, "hosts": ["a"]})"}) {
    std::ofstream{config} << bad;
    EXPECT_THROW(sagemaker_hosts(root_.path()), std::invalid_argument) << bad;
  }
}

TEST_F(SageMaker, AFailureIsWrittenForSageMakerToShow) {
  ASSERT_TRUE(write_failure(root_ / "output/failure", std::string(3000, 'x')));
  EXPECT_EQ(base::file_content(root_ / "output/failure"), std::string(1024, 'x'));
}

}  // namespace
}  // namespace spottrain
