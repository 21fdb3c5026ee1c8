#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"
#include "sim/cli/init/recognise_log.h"
#include "sim/kernel/random.h"
#include "sim/scenario/mutations_for_test.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

const std::string kScenarios = std::string(SPOTSIM_SOURCE_DIR) + "/scenarios/";

class Init : public OnTheCommandLine {
 protected:
  Init() : OnTheCommandLine({add_init_command}) {}

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string prices() const { return " --prices " + kScenarios + "traces/us-west-2-gpu.json"; }
  std::string parts(const std::string& job) const {
    return "init --user-data " + kScenarios + job + "/user-data.sh --fleet " + kScenarios + job +
           "/fleet.json" + prices() + " -o " + path("my.yaml");
  }
  std::string fleet() const {
    return file("fleet.json", R"({"LaunchSpecifications": [{"InstanceType": "p3.2xlarge",
 "Placement": {"AvailabilityZone": "us-west-2b"}}]})");
  }
  bool nothing_written() const { return !std::filesystem::exists(path("my.yaml")); }
};

TEST_F(Init, WritesAScenarioThatIsValid) {
  const std::string log = file("train.log", "loading\nstep 1/40\nstep 2/40\n");
  ASSERT_EQ(spotsim(parts("foreign/s3-sync") + " --yes --log " + log), 0) << err_;
  const auto made = scenario::read_scenario(path("my.yaml"));
  EXPECT_EQ(made.name, "my");
  const std::string text = contents_of(path("my.yaml"));
  EXPECT_NE(text.find("aws s3 mb s3://spot-checkpoints"), text.npos) << text;
  EXPECT_NE(text.find("region: us-west-2"), text.npos) << text;
  EXPECT_NE(err_.find("step        step 1/40"), err_.npos) << err_;
}

// A script as a newcomer has it: names in variables, and a log with relative paths.
TEST_F(Init, FollowsVariablesAndRelativePathsOfTheUserData) {
  file("train.py", "print()\n");
  const std::string log = file("train.log", "Epoch 1/10\nsaved checkpoint ckpt/epoch-1.pt\n");
  const std::string user_data = file("user-data.sh",
                                     "#!/bin/bash\n"
                                     "export BUCKET=my-bucket\n"
                                     "CKPT=\"s3://$BUCKET/ckpt\"\n"
                                     "# aws s3 sync /old s3://old-bucket/ckpt\n"
                                     "mkdir -p /home/ubuntu/work && cd /home/ubuntu/work\n"
                                     "aws s3 cp s3://$BUCKET/train.py .\n"
                                     "aws s3 cp s3://${BUCKET}/unknown.bin .\n"
                                     "aws s3 sync $CKPT ./ckpt\n"
                                     "python3 train.py\n"
                                     "aws s3 sync ./ckpt \"$CKPT\"\n");
  ASSERT_EQ(spotsim("init --yes --user-data " + user_data + " --fleet " + fleet() + prices() +
                    " --log " + log + " -o " + path("my.yaml")),
            0)
      << err_;
  const std::string text = contents_of(path("my.yaml"));
  for (const char* part :
       {"aws s3 mb s3://my-bucket  # assumed",
        "aws s3 cp 'train.py' 's3://my-bucket/train.py' --only-show-errors  # assumed",
        "checkpoint_files: '/home/ubuntu/work/ckpt/*.pt'  # assumed: from `cd` in user-data.sh",
        "evidence: {copies: 's3://my-bucket/ckpt'}  # assumed"})
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  for (const char* part : {"old-bucket", "unknown.bin"})
    EXPECT_EQ(text.find(part), text.npos) << part << "\n" << text;
}

TEST_F(Init, MakesTheBucketsThatTheScriptBeforeDoesNotMention) {
  const std::string user_data = file(
      "user-data.sh", "#!/bin/bash\naws s3 sync s3://data/in /in\naws s3 sync /out s3://out\n");
  const auto makes = [&](const std::string& bucket, const std::string& script) {
    const std::string before = file("before.sh", script);
    EXPECT_EQ(spotsim("init --yes --force --user-data " + user_data + " --fleet " + fleet() +
                      prices() + " --before " + before + " -o " + path("my.yaml")),
              0)
        << err_;
    return contents_of(path("my.yaml")).find("aws s3 mb s3://" + bucket + "  # assumed") !=
           std::string::npos;
  };
  for (const char* script : {"aws s3 mb s3://data\n", "b=data\naws s3 mb s3://$b\n",
                             "make dataset\naws s3 cp data.csv s3://data/in/"}) {
    EXPECT_FALSE(makes("data", script)) << script;
    EXPECT_TRUE(makes("out", script)) << script;
  }
  for (const char* script : {"make dataset\n", "head data.csv\n", "aws s3 mb s3://my-data"})
    EXPECT_TRUE(makes("data", script)) << script;
}

TEST_F(Init, AsksForTheFolderOfARelativePath) {
  const std::string log = file("train.log", "step 1/4\nsaved ckpt/a.pt at step 1\n");
  const std::string user_data = file("user-data.sh", "#!/bin/bash\npython3 train.py\n");
  ASSERT_EQ(spotsim("init --yes --user-data " + user_data + " --fleet " + fleet() + prices() +
                    " --log " + log + " -o " + path("my.yaml")),
            0)
      << err_;
  EXPECT_NE(err_.find("ckpt/a.pt is a relative path. Name the folder by --checkpoint-files"),
            err_.npos)
      << err_;
}

TEST_F(Init, AssumesNoCopiesIfTheScriptHasSeveral) {
  const std::string log = file("train.log", "step 1/4\nsaved /ckpt/a.pt at step 1\n");
  const auto scenario_for = [&](const std::string& script) {
    const std::string user_data = file("user-data.sh", "#!/bin/bash\n" + script);
    EXPECT_EQ(spotsim("init --yes --force --user-data " + user_data + " --fleet " + fleet() +
                      prices() + " --log " + log + " -o " + path("my.yaml")),
              0)
        << err_;
    return contents_of(path("my.yaml"));
  };
  const std::string of_log = "aws s3 cp train.log s3://bucket/logs/\n";
  EXPECT_NE(scenario_for("aws s3 sync /ckpt s3://bucket/ckpt\n" + of_log)
                .find("\nevidence: {copies: 's3://bucket/ckpt'}  # assumed"),
            std::string::npos);
  EXPECT_NE(scenario_for("aws s3 cp \"$file\" s3://bucket/ckpt/\n" + of_log)
                .find("# evidence: {copies: PREFIX}  # if one of these has the checkpoints: "
                      "s3://bucket/ckpt, s3://bucket/logs\n"),
            std::string::npos);
}

TEST_F(Init, ReadsATrainingJobOfSageMaker) {
  const std::string job = file("job.json", R"({
  "TrainingJobName": "resnet",
  "AlgorithmSpecification": {
    "TrainingImage": "763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training:2.0"},
  "ResourceConfig": {"InstanceType": "ml.p3.2xlarge", "InstanceCount": 1},
  "CheckpointConfig": {"S3Uri": "s3://training-bucket/checkpoints"}
})");
  ASSERT_EQ(spotsim("init --training-job " + job + prices() + " -o " + path("my.yaml")), 0) << err_;
  const std::string text = contents_of(path("my.yaml"));
  for (const char* part :
       {"aws s3 mb s3://training-bucket", "region: us-west-2  # from the registry",
        "aws sagemaker create-training-job --training-job-name 'resnet'"})
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
}

TEST_F(Init, KeepsAFileUnlessForced) {
  file("my.yaml", "mine");
  EXPECT_EQ(spotsim(parts("foreign/s3-sync")), 2);
  EXPECT_EQ(contents_of(path("my.yaml")), "mine");
  EXPECT_EQ(spotsim(parts("foreign/s3-sync") + " --force"), 0) << err_;
}

TEST_F(Init, NamesFileLineAndFieldAndWritesNothing) {
  const std::string user_data = file("train.sh", "#!/bin/bash\n");
  const std::string fleet = file("fleet.json", "{\n\"LaunchSpecifications\": 3}");
  EXPECT_EQ(spotsim("init --user-data " + user_data + " --fleet " + fleet + prices() + " -o " +
                    path("my.yaml")),
            2);
  EXPECT_NE(err_.find("fleet.json:2: LaunchSpecifications: found \"3\""), err_.npos) << err_;
  EXPECT_TRUE(nothing_written());
}

TEST_F(Init, RefusesALogWithoutSteps) {
  const std::string log = file("train.log", "nothing to count\n");
  EXPECT_EQ(spotsim(parts("foreign/s3-sync") + " --yes --log " + log), 2);
  EXPECT_NE(err_.find("train.log: found no line with a step"), err_.npos) << err_;
  EXPECT_TRUE(nothing_written());
}

TEST_F(Init, RefusesOptionsThatDoNotFitTogether) {
  EXPECT_EQ(spotsim("init --user-data a.sh" + prices() + " -o " + path("my.yaml")), 2);
  EXPECT_NE(err_.find("expected either --user-data and --fleet"), err_.npos) << err_;
  EXPECT_EQ(spotsim(parts("foreign/s3-sync") + " --code here"), 2);
  EXPECT_NE(err_.find("found here, expected URL=FOLDER"), err_.npos) << err_;
  EXPECT_TRUE(nothing_written());
}

TEST_F(Init, RefusesPricesOfOtherTypes) {
  const std::string user_data = file("train.sh", "#!/bin/bash\n");
  const std::string fleet =
      file("fleet.json", R"({"LaunchSpecifications": [{"InstanceType": "m5.large"}]})");
  EXPECT_EQ(spotsim("init --user-data " + user_data + " --fleet " + fleet + prices() + " -o " +
                    path("my.yaml")),
            2);
  EXPECT_NE(err_.find("found \"no price of m5.large\""), err_.npos) << err_;
  EXPECT_TRUE(nothing_written());
}

std::string format_of(const std::string& log) {
  const auto found = recognise_log(log);
  return found ? found->name : "";
}

TEST(RecogniseLog, KnowsTheDocumentedFormats) {
  EXPECT_EQ(format_of("Epoch 1/3\n 1/4 [=====>.....] - ETA: 3s\r"), "keras");
  EXPECT_EQ(format_of("Epoch 0:  50%|##| 5/10 [00:05<00:05, 1.0it/s]\n"), "lightning");
  EXPECT_EQ(format_of(" 12%|#| 12/100 [00:05<00:40, 2.1it/s]\n"), "huggingface");
  EXPECT_EQ(format_of("train:  12/100 [00:05<00:40, 2.1it/s]\n"), "tqdm");
  EXPECT_EQ(format_of("I1105 solver.cpp:239] Iteration 100, loss = 1\n"), "caffe");
  EXPECT_EQ(format_of("Step 3 of 40\n"), "plain");
  EXPECT_EQ(format_of("epoch 3/40 loss 0.1\n"), "plain");
  EXPECT_EQ(format_of("iteration 7\n"), "plain");
  EXPECT_EQ(format_of(""), "");
}

TEST(RecogniseLog, FindsCheckpointsAndResumesBesidePlainSteps) {
  const auto found = recognise_log(
      "Resuming from step 8\nstep 9/16\nSaved /ckpt/step-9.pt at step 9\nwriting model.h5\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->start, "Resuming from step 8");
  EXPECT_EQ(found->step, "step 9/16");
  EXPECT_EQ(found->checkpoint, "Saved /ckpt/step-9.pt at step 9");
  EXPECT_EQ(found->steps, 1);
  EXPECT_EQ(found->checkpoints, 2);
  EXPECT_EQ(found->block.size(), 3U);
}

TEST(RecogniseLog, IgnoresTheControlsThatBarsDrawWith) {
  EXPECT_EQ(format_of("Epoch 1/3\r\b\b\b\b 1/4 [=====>.....] - ETA: 3s\b\b"), "keras");
  EXPECT_EQ(format_of("\x1b[1mstep 3/40\x1b[0m\n"), "plain");
}

TEST(RecogniseLog, ReadsDamagedLogs) {
  Stream stream = Streams(1).stream("damaged-logs", "");
  const std::string log =
      "Epoch 1/3\n 1/4 [==>..] - ETA: 3s\rsaving model to a.h5\nstep 3/40\n"
      "  12%|#| 12/100 [00:05<00:40, 2.1it/s]\n";
  for (int i = 0; i < 2000; ++i) recognise_log(scenario::mutated(log, stream));
}

}  // namespace
}  // namespace sim::cli
