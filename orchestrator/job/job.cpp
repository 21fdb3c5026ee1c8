#include "orchestrator/job/job.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files/whole_file.h"
#include "base/json/json_fields.h"
#include "base/time/duration.h"
#include "client/s3_uri.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/dollars.h"

namespace spotrun {
namespace {

using base::JsonFields;

constexpr char kAUri[] = "s3://BUCKET/PREFIX";
constexpr char kADuration[] = "a duration such as \"4.5s\"";
constexpr char kMountPoint[] = "/dltraining";
constexpr int kLargestGib = 65'536;  // EBS's largest volume

Duration read_duration(JsonFields& fields, const std::string& name, Duration otherwise) {
  const auto text = fields.text(name, kADuration);
  if (!text) return otherwise;
  const auto parsed = base::parse_positive_duration(*text);
  if (!parsed || *parsed < Duration{1}) fields.fail(name, kADuration);
  return std::chrono::ceil<Duration>(*parsed);
}

// Reads a text that becomes a program's argument. It must not look like an option.
std::string read_argument(JsonFields& fields, const std::string& name, const std::string& text,
                          const std::string& expected) {
  if (text.starts_with('-')) fields.fail(name, expected);
  return text;
}

VolumeConfig read_volume(JsonFields fields, const std::string& region) {
  VolumeConfig volume;
  const std::string tag = fields.required_text("tag", "NAME=VALUE, or a value of the tag Name");
  const auto equals = tag.find('=');
  volume.tag_key = equals == std::string::npos ? "Name" : tag.substr(0, equals);
  volume.tag_value = equals == std::string::npos ? tag : tag.substr(equals + 1);
  if (volume.tag_key.empty() || volume.tag_value.empty() || volume.tag_key.starts_with("aws:") ||
      volume.tag_key.starts_with("spotrun:") || volume.tag_value.find('*') != std::string::npos ||
      volume.tag_value.find('?') != std::string::npos) {
    fields.fail("tag",
                "NAME=VALUE, neither part empty, no aws: or spotrun: name, no * or ? in the value");
  }
  volume.size_gib = fields.required_integer("size_gib", 1, kLargestGib);
  volume.type = fields.text("type", "a volume type such as \"gp2\"").value_or("gp2");
  volume.availability_zone = fields.required_text("availability_zone", "a zone of the region");
  if (!volume.availability_zone.starts_with(region) || volume.availability_zone == region) {
    fields.fail("availability_zone", "a zone of the region \"" + region + "\"");
  }
  volume.device = fields.text("device", "a path below /dev").value_or("/dev/sdf");
  if (!volume.device.starts_with("/dev/") || volume.device.find("..") != std::string::npos) {
    fields.fail("device", "a path below /dev, as \"/dev/sdf\"");
  }
  volume.filesystem = fields.text("filesystem", "\"xfs\" or \"ext4\"").value_or("xfs");
  if (volume.filesystem != "xfs" && volume.filesystem != "ext4") {
    fields.fail("filesystem", "\"xfs\" or \"ext4\"");
  }
  volume.mount_point = fields.text("mount_point", "an absolute path").value_or(kMountPoint);
  if (volume.mount_point.size() < 2 || volume.mount_point[0] != '/' ||
      volume.mount_point.find("..") != std::string::npos || volume.mount_point.ends_with('/')) {
    fields.fail("mount_point", "an absolute path without \"..\" and without a slash at its end");
  }
  fields.finish();
  return volume;
}

// Checks a job that has no volume.
std::string read_checkpoints(JsonFields& fields, const std::string& uri) {
  try {
    if (!client::parse_s3_uri(uri)) fields.fail("checkpoints", kAUri);
  } catch (const std::invalid_argument&) {
    fields.fail("checkpoints", kAUri);
  }
  for (const char* name : {"volume", "prepare"})
    if (fields.object(name))
      fields.fail(name, "it together with /checkpoints",
                  "none: a job with its checkpoints in S3 has no volume");
  return uri;
}

PrepareConfig read_prepare(JsonFields fields) {
  PrepareConfig prepare{
      .instance_type = fields.required_text("instance_type", "an instance type"),
      .image_id = fields.required_text("image_id", "an AMI's ID"),
      .command = fields.required_text("command", "a shell command"),
      .iam_instance_profile =
          fields.text("iam_instance_profile", "an instance profile's name or ARN").value_or(""),
      .key_name = fields.text("key_name", "a key pair's name").value_or(""),
      .subnet_id = fields.text("subnet_id", "a subnet's ID").value_or(""),
      .security_group_ids = fields.texts("security_group_ids", "a security group's ID")};
  fields.finish();
  return prepare;
}

CodeConfig read_code(JsonFields fields) {
  CodeConfig code;
  const std::string url = "a repository's URL";
  code.repository =
      read_argument(fields, "repository", fields.required_text("repository", url), url);
  const std::string name = "a branch, tag or commit";
  code.revision =
      read_argument(fields, "revision", fields.text("revision", name).value_or(""), name);
  fields.finish();
  return code;
}

TrainConfig read_train(JsonFields fields) {
  TrainConfig train;
  train.command = fields.required_text("command", "a shell command");
  train.max_restarts = fields.integer("max_restarts", 0, 1000).value_or(0);
  const Duration hang = read_duration(fields, "hang_timeout", Duration{});
  if (hang > Duration{}) train.hang_timeout = hang;
  fields.finish();
  return train;
}

void read_profiles(JsonFields fields, Job& job) {
  constexpr char kAPrice[] = "US dollars an hour such as \"3.06\"";
  for (const auto& type : fields.names()) {
    JsonFields profile = fields.required_object(type);
    const auto text = profile.required_text("step_time", kADuration);
    if (!base::parse_positive_duration(text)) profile.fail("step_time", kADuration);
    job.step_time[type] = text;
    if (const auto price = profile.text("on_demand_price", kAPrice)) {
      const auto dollars = parse_dollars(*price);
      if (!dollars) profile.fail("on_demand_price", kAPrice);
      job.on_demand_price[type] = *dollars;
    }
    profile.finish();
  }
}

}  // namespace

Job parse_job(const std::string& text, const std::string& file) {
  nlohmann::ordered_json document;
  try {
    document = nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw Failure(ExitCode::kBadInput, fmt::format("{}: not JSON: {}", file, error.what()));
  }
  const auto refuse = [file](const std::string& pointer, const std::string& found,
                             const std::string& expected) {
    throw Failure(ExitCode::kBadInput,
                  fmt::format("{}: {}: found {}, expected {}", file,
                              pointer.empty() ? "/" : pointer, found, expected));
  };
  JsonFields fields(document, refuse);
  Job job;
  job.document = document.dump();
  job.name = fields.required_text("name", "a name for the job");
  job.region = fields.required_text("region", "a region such as \"us-west-2\"");
  if (const auto uri = fields.text("checkpoints", kAUri)) {
    job.checkpoints = read_checkpoints(fields, *uri);
    job.volume.mount_point = kMountPoint;
  } else {
    job.volume = read_volume(fields.required_object("volume"), job.region);
  }
  if (auto prepare = fields.object("prepare")) job.prepare = read_prepare(*prepare);
  if (auto code = fields.object("code")) job.code = read_code(*code);
  JsonFields train = fields.required_object("train");
  job.train = read_train(train);
  if (!job.checkpoints.empty() && job.train.hang_timeout)
    train.fail("hang_timeout", "it together with /checkpoints",
               "none: only files are checked for changes, not objects");
  if (auto profiles = fields.object("profiles")) read_profiles(*profiles, job);
  job.notice_poll = read_duration(fields, "notice_poll", job.notice_poll);
  fields.finish();
  return job;
}

std::string read_text(const std::string& file) {
  const auto text = base::read_file(file);
  if (!text) throw Failure(ExitCode::kBadInput, file + ": cannot be read");
  return *text;
}

Job load_job(const std::string& file) { return parse_job(read_text(file), file); }

void require_volume(const Job& job, std::string_view what) {
  if (job.checkpoints.empty()) return;
  throw Failure(
      ExitCode::kBadInput,
      fmt::format("{}: found a job with its checkpoints in {}, expected one with a volume", what,
                  job.checkpoints));
}

std::string volume_tag(const Job& job) { return job.volume.tag_key + "=" + job.volume.tag_value; }

}  // namespace spotrun
