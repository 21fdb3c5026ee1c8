#include "sim/cli/init/job_request.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "sim/explore/matches.h"
#include "sim/kernel/json_object.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;
using traces::TraceFile;
using JsonType = Json::value_t;

Json parse_request(const TraceFile& file) {
  try {
    return Json::parse(file.text);
  } catch (const Json::parse_error& error) {
    traces::fail_at_byte(file, error.byte > 0 ? error.byte - 1 : 0, "JSON");
  }
}

// Names the first line that has the key.
[[noreturn]] void fail_field(const TraceFile& file, const std::string& key,
                             const std::string& found, const std::string& expected) {
  const std::size_t at = file.text.find('"' + key + '"');
  const auto end = file.text.begin() + (at == std::string::npos ? 0 : static_cast<long>(at));
  const auto line = 1 + std::count(file.text.begin(), end, '\n');
  traces::fail_at_line(file, static_cast<std::size_t>(line), key, found, expected);
}

// A required member of that type.
const Json& member(const TraceFile& file, const Json& object, const std::string& key, JsonType type,
                   const std::string& expected) {
  if (!object.is_object() || !object.contains(key)) fail_field(file, key, "nothing", expected);
  if (object[key].type() != type) fail_field(file, key, object[key].dump(), expected);
  return object[key];
}

std::string text_member(const TraceFile& file, const Json& object, const std::string& key,
                        const std::string& expected) {
  return member(file, object, key, JsonType::string, expected).get<std::string>();
}

// "us-west-2a, us-west-2b", as a launch specification lists several zones.
void add_zones(std::string text, std::set<std::string>& zones) {
  std::erase(text, ' ');
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    if (end > from) zones.insert(text.substr(from, end - from));
    from = end + 1;
  }
}

}  // namespace

std::set<std::string> buckets_in(const std::string& text) {
  static const re2::RE2 kUri("s3://([a-z0-9][a-z0-9.-]+)");
  std::set<std::string> buckets;
  for (const explore::Match& match : explore::matches_in(text, kUri)) buckets.emplace(match[1]);
  return buckets;
}

JobRequest read_fleet_request(const fs::path& path) {
  const TraceFile file = traces::load_trace_file(path);
  Json fleet = parse_request(file);
  if (fleet.is_object() && fleet.contains("SpotFleetRequestConfig"))
    fleet = Json(fleet["SpotFleetRequestConfig"]);
  const Json& specifications =
      member(file, fleet, "LaunchSpecifications", JsonType::array,
             "a list, as for `aws ec2 request-spot-fleet`; launch templates are not supported");
  if (specifications.empty()) fail_field(file, "LaunchSpecifications", "[]", "one or more");
  JobRequest request;
  for (const Json& one : specifications) {
    request.types.insert(text_member(file, one, "InstanceType", "a type such as p3.2xlarge"));
    if (one.contains("Placement"))
      add_zones(
          text_member(file, one["Placement"], "AvailabilityZone", "a zone such as us-west-2b"),
          request.zones);
  }
  if (!request.zones.empty()) {
    request.region = *request.zones.begin();
    request.region.pop_back();
    request.region_from = "the zones of " + path.filename().string();
  }
  return request;
}

JobRequest read_training_job(const fs::path& path) {
  const TraceFile file = traces::load_trace_file(path);
  const Json job = parse_request(file);
  JobRequest request;
  const Json& algorithm =
      member(file, job, "AlgorithmSpecification", JsonType::object, "an object");
  request.image = text_member(file, algorithm, "TrainingImage", "a container image");
  const Json& resources = member(file, job, "ResourceConfig", JsonType::object, "an object");
  const std::string type =
      text_member(file, resources, "InstanceType", "a type such as ml.p3.2xlarge");
  if (!type.starts_with("ml."))
    fail_field(file, "InstanceType", type, "a type such as ml.p3.2xlarge");
  request.types.insert(type.substr(3));
  if (job.contains("TrainingJobName"))
    request.name = text_member(file, job, "TrainingJobName", "a name");
  static const re2::RE2 kRegistry(R"(\.ecr\.([a-z0-9-]+)\.amazonaws)");
  if (re2::RE2::PartialMatch(request.image, kRegistry, &request.region))
    request.region_from = "the registry of TrainingImage";
  request.buckets = buckets_in(file.text);
  return request;
}

}  // namespace sim::cli
