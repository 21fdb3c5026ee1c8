// The commands of aws-cli that an operator's script may have in a fiber guest, as what they ask
// for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "api/table.h"
#include "sim/guest/fiber/plain_script.h"

namespace sim::guest {

// aws s3 mb s3://BUCKET
struct MakeBucket {
  std::string bucket;
};
// aws s3 cp --recursive FOLDER s3://BUCKET/PREFIX
struct UploadFolder {
  std::string bucket, prefix;
  std::map<std::string, std::uint64_t> files;  // their sizes, by name
};
// aws s3 ls s3://BUCKET/PREFIX
struct ListObjects {
  std::string bucket, prefix;
  bool recursive = false;
};
// aws SERVICE COMMAND, where --cli-input-json and an option for each member make the request:
// sagemaker create-training-job, autoscaling create-auto-scaling-group …
struct CallService {
  const api::Service* service = nullptr;
  const api::Operation* operation = nullptr;
  std::string request;  // JSON with the model's names
};
// aws sagemaker describe-training-job
struct DescribeTrainingJob {
  std::string job;
};
// aws sagemaker wait training-job-completed-or-stopped
struct AwaitTrainingJob {
  std::string job;
};
using AwsCommand = std::variant<MakeBucket, UploadFolder, ListObjects, CallService,
                                DescribeTrainingJob, AwaitTrainingJob>;

// Files by name and size, by the folder that the script has them in.
using DataFolders = std::map<std::string, std::map<std::string, std::uint64_t>>;

// spottrain synthesize FOLDER: adds what it writes. Throws ScriptError for another command of
// spottrain.
void read_spottrain(const SimpleCommand& command, DataFolders& folders);
// `folder` is the script's working folder, where file://NAME is. Throws ScriptError with the line
// for what is not one of the above, and for a request that its service does not have.
AwsCommand read_aws(const SimpleCommand& command, const std::filesystem::path& folder,
                    const DataFolders& folders);

}  // namespace sim::guest
