// SageMaker's contract with a training container: where data, settings, checkpoints, the model and
// the reason of a failure are.
// https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-training-algo.html
// https://docs.aws.amazon.com/sagemaker/latest/dg/model-checkpoints.html
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spottrain {

struct SageMakerJob {
  std::filesystem::path data;         // of the channel "training", "train" or the only one
  std::filesystem::path checkpoints;  // kept in S3 while training, and there again after a restart
  std::filesystem::path model;        // kept in S3 at the end
  std::filesystem::path failure;      // a file; its beginning becomes the job's FailureReason
  // --data and --checkpoints of these, then each hyperparameter as an option: learning_rate = 0.1
  // is --learning-rate=0.1. Those of SageMaker's own toolkit ("sagemaker_…") are left out.
  std::vector<std::string> options;
};

// The value of an environment variable, empty when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// The job that the folder `root` (/opt/ml) holds: input/data/CHANNEL, input/config/
// hyperparameters.json (may be missing), checkpoints, model and output/failure.
// SM_CHANNEL_TRAINING, SM_CHANNEL_TRAIN, SM_CHECKPOINT_DIR, SM_MODEL_DIR and SM_OUTPUT_DIR name
// others. Throws std::invalid_argument naming file or folder, what was found and what was expected.
SageMakerJob sagemaker_job(const Environment& environment, const std::filesystem::path& root);

// Writes the reason for SageMaker to show, of which it reads 1024 bytes. False when it cannot.
bool write_failure(const SageMakerJob& job, std::string_view reason);

}  // namespace spottrain
