#include "orchestrator/acquire/submit.h"

#include <fmt/format.h>

#include "base/text/base64.h"
#include "orchestrator/acquire/launch_templates.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/user_data.h"
#include "orchestrator/job/volume_search.h"

namespace spotrun {

void forget_outcome(const Context& context, const Job& job) {
  if (!job.checkpoints.empty()) return;
  for (const auto& volume : tagged_volumes(context.ec2, job)) {
    if (!volume.tag(tags::kStrategySince).empty()) forget_run(context, volume);
    if (volume.tag(tags::kDone).empty() && volume.tag(tags::kFailed).empty()) continue;
    context.ec2.delete_tags(volume.id, {tags::kDone, tags::kFailed});
  }
}

void forget_run(const Context& context, const aws::Volume& volume) {
  std::vector<std::string> keys{tags::kStrategySince, tags::kTrainsSince, tags::kSaved};
  for (const auto& [key, value] : volume.tags)
    if (key.starts_with(tags::kTrained)) keys.push_back(key);
  context.ec2.delete_tags(volume.id, keys);
}

std::string submit_fleet(const Context& context, aws::Client& client, const Job& job,
                         nlohmann::json fleet, const std::string& fleet_file) {
  const std::string script = base::base64_encode(user_data(job, "instance"));
  for (auto& specification : fleet["LaunchSpecifications"]) {
    if (!specification.contains("UserData")) specification["UserData"] = script;
  }
  if (!fleet.contains("ClientToken")) fleet["ClientToken"] = client.new_token();
  forget_outcome(context, job);
  std::string id;
  try {
    if (needs_launch_templates(fleet))
      fleet = with_launch_templates(context, job, std::move(fleet), fleet_file);
    id = context.ec2.request_spot_fleet(fleet);
  } catch (const std::invalid_argument& error) {
    throw Failure(ExitCode::kBadInput, fleet_file + ": " + error.what());
  }
  context.log.say("spot fleet request " + id);
  return id;
}

std::string submit_on_demand(const Context& context, const Job& job, const std::string& where) {
  const auto slash = where.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == where.size()) {
    throw Failure(ExitCode::kBadInput, "--on-demand: found \"" + where +
                                           "\", expected TYPE/ZONE, as p3.2xlarge/us-west-2b");
  }
  if (!job.prepare) {
    throw Failure(ExitCode::kBadInput,
                  "--on-demand takes the image from the job file's \"prepare\", "
                  "which is missing");
  }
  forget_outcome(context, job);
  const auto id =
      context.ec2.run_instance({.image_id = job.prepare->image_id,
                                .instance_type = where.substr(0, slash),
                                .user_data = user_data(job, "instance"),
                                .availability_zone = where.substr(slash + 1),
                                .iam_instance_profile = job.prepare->iam_instance_profile,
                                .key_name = job.prepare->key_name,
                                .subnet_id = job.prepare->subnet_id,
                                .security_group_ids = job.prepare->security_group_ids,
                                .tags = {{"Name", job.name}}});
  context.log.say("on-demand instance " + id);
  return id;
}

std::optional<ExitCode> outcome_of(const Context& context, const aws::Volume& volume) {
  const std::string done = volume.tag(tags::kDone);
  const std::string failed = volume.tag(tags::kFailed);
  if (!done.empty()) {
    context.log.say("done since " + done);
    return ExitCode::kDone;
  }
  if (!failed.empty()) {
    context.log.say("failed: " + failed);
    return ExitCode::kJobFailed;
  }
  const std::string holder = volume.attachments.empty() ? "" : volume.attachments[0].instance_id;
  context.log.say(fmt::format("not over; volume {} in {} is {}{}", volume.id,
                              volume.availability_zone, volume.state,
                              holder.empty() ? "" : " by " + holder));
  return std::nullopt;
}

std::optional<ExitCode> job_status(const Context& context, const Job& job) {
  return outcome_of(context, find_job_volume(context, job));
}

ExitCode wait_for_job(const Context& context, const Job& job) {
  constexpr Duration kInterval{30'000};
  for (context.clock.look();;) {
    try {
      if (const auto code = job_status(context, job)) return *code;
      context.clock.sleep_between_looks(kInterval, Time::max());
    } catch (const aws::ApiError& error) {
      if (!error.transient()) throw;
      context.log.say(error.what());
      context.clock.sleep(kInterval);
      context.clock.look();
    }
  }
}

}  // namespace spotrun
