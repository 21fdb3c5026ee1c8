#include "sim/sagemaker/job.h"

#include <array>

#include "sim/cloud/error.h"

namespace sim::sagemaker {

std::string_view name(JobStatus status) {
  static constexpr std::array<std::string_view, 5> kNames{"InProgress", "Completed", "Failed",
                                                          "Stopping", "Stopped"};
  return kNames[static_cast<std::size_t>(status)];
}

S3Folder S3Folder::parse(const std::string& uri) {
  constexpr std::string_view kScheme = "s3://";
  const auto slash = uri.find('/', kScheme.size());
  S3Folder out;
  if (uri.starts_with(kScheme)) {
    out.bucket = uri.substr(kScheme.size(), slash - kScheme.size());
    out.prefix = slash == uri.npos ? "" : uri.substr(slash + 1);
  }
  if (out.bucket.empty())
    throw cloud::ApiError("ValidationException",
                          "The provided S3 URI '" + uri +
                              "' is not valid: it has the form s3://bucket-name/key-name-prefix");
  while (out.prefix.ends_with('/')) out.prefix.pop_back();
  return out;
}

}  // namespace sim::sagemaker
