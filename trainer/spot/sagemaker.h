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

// The value of an environment variable, empty when it is not set.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

// spottrain's options for the job that the folder `root` (/opt/ml) holds:
//   --data          input/data/training, else train, else the only channel; SM_CHANNEL_TRAINING
//                   and SM_CHANNEL_TRAIN name another
//   --checkpoints   checkpoints, or SM_CHECKPOINT_DIR: kept in S3 while training, put back after
//                   an interruption
//   --model-folder  model, or SM_MODEL_DIR: kept in S3 at the end
//   --failure-file  failure in output, or in SM_OUTPUT_DIR: becomes the job's FailureReason
// and those of input/config/hyperparameters.json, which may be missing: learning_rate = 0.1 is
// --learning-rate=0.1. SageMaker's own hyperparameters ("sagemaker_…") are omitted. Throws
// std::invalid_argument with the file or folder, what was found and what was expected.
std::vector<std::string> sagemaker_options(const ReadVariable& environment,
                                           const std::filesystem::path& root);

// The job's hosts and this host, from input/config/resourceconfig.json. Empty if that file is
// missing. Throws std::invalid_argument as above.
struct SagemakerHosts {
  std::vector<std::string> all;
  std::string own;
};
std::optional<SagemakerHosts> sagemaker_hosts(const std::filesystem::path& root);

// Writes why a job failed. SageMaker shows 1024 bytes of this file. False if it cannot be written.
bool write_failure(const std::filesystem::path& file, std::string_view reason);

}  // namespace spottrain
