// The commands of aws-cli that an operator's script may use with fiber guests. They are parsed into
// structs; OperatorAws carries them out.
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
  std::map<std::string, std::uint64_t> files;  // sizes by name
};
// aws s3 ls s3://BUCKET/PREFIX
struct ListObjects {
  std::string bucket, prefix;
  bool recursive = false;
};
// aws SERVICE COMMAND, such as sagemaker create-training-job or autoscaling
// create-auto-scaling-group. --cli-input-json and an option for each member make the request.
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

// The folders that the script has, each with its files' sizes by name.
using DataFolders = std::map<std::string, std::map<std::string, std::uint64_t>>;

// Reads `spottrain synthesize FOLDER` and adds the files that it would write. Throws ScriptError
// for another command of spottrain.
void read_spottrain(const SimpleCommand& command, DataFolders& folders);
// Reads one of the commands above. `folder` is the script's working folder, for file://NAME. Throws
// ScriptError with the line for other commands, and for a request that its service does not have.
AwsCommand read_aws(const SimpleCommand& command, const std::filesystem::path& folder,
                    const DataFolders& folders);

}  // namespace sim::guest
