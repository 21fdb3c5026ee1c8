// The request that starts a user's job: of a spot fleet, or of SageMaker.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace sim::cli {

// What `spotsim init` reads from a request.
struct JobRequest {
  std::string name, image;          // SageMaker only; the name may be empty
  std::set<std::string> types;      // of instances
  std::set<std::string> zones;      // empty: any
  std::string region, region_from;  // empty: not stated; the part of the request that states it
  std::set<std::string> buckets;    // that it names
};

// A request of `aws ec2 request-spot-fleet`: the configuration, or the whole call.
// https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RequestSpotFleet.html
// Throws TraceError "FILE:LINE: FIELD: found …, expected …".
JobRequest read_fleet_request(const std::filesystem::path& file);

// SageMaker's CreateTrainingJob request, as an estimator sends it.
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateTrainingJob.html
// Throws TraceError.
JobRequest read_training_job(const std::filesystem::path& file);

// The buckets of all URIs s3://BUCKET/… in a text.
std::set<std::string> buckets_in(const std::string& text);

}  // namespace sim::cli
