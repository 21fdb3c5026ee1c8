// The files of a replay.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/import/account_replay.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {
namespace {

std::int64_t milliseconds(Time t) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}

std::string indented(const std::string& text, int blanks) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) result += std::string(static_cast<std::size_t>(blanks), ' ');
    result += text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return result;
}

constexpr const char* kHead = R"sh(set -e
until_ms() {   # an instant in milliseconds since 1970
  local left=$(( $1 - $(date +%s%3N) ))
  [ $left -le 0 ] || sleep "$(( left / 1000 )).$(printf %03d $(( left % 1000 )))"
}
)sh";

constexpr const char* kInstanceCalls = R"sh(declare -A ids
launch() {     # INSTANT RECORDED-ID TYPE ZONE [OPTION...]
  until_ms "$1"
  ids[$2]=$(aws ec2 run-instances --image-id ami-0123456789abcdef0 --instance-type "$3" \
    --placement "AvailabilityZone=$4" --query 'Instances[0].InstanceId' --output text \
    --tag-specifications "ResourceType=instance,Tags=[{Key=recorded-as,Value=$2}]" "${@:5}")
}
end() {        # INSTANT RECORDED-ID
  until_ms "$1"
  aws ec2 terminate-instances --instance-ids "${ids[$2]}" > /dev/null
}
)sh";

std::string instance_calls(const AccountReplay& replay) {
  std::vector<std::pair<Time, std::string>> calls;
  for (const RecordedInstance& instance : replay.instances) {
    calls.emplace_back(
        *instance.launched,
        fmt::format("launch {} {} {} {}{}\n", milliseconds(*instance.launched), instance.id,
                    instance.pool.instance_type, instance.pool.availability_zone,
                    instance.spot ? " --instance-market-options MarketType=spot" : ""));
    if (!instance.interrupted)
      calls.emplace_back(*instance.ended,
                         fmt::format("end {} {}\n", milliseconds(*instance.ended), instance.id));
  }
  std::ranges::stable_sort(calls, {}, &std::pair<Time, std::string>::first);
  std::string text = kInstanceCalls;
  for (const auto& [at, call] : calls) text += call;
  return text;
}

std::string job_calls(const AccountReplay& replay) {
  std::string text = "aws s3 mb s3://recorded-jobs > /dev/null\n";
  for (std::size_t i = 0; i < replay.jobs.size(); ++i)
    text += fmt::format(
        "until_ms {}\naws sagemaker create-training-job --cli-input-json file://job-{}.json\n",
        milliseconds(replay.jobs[i].created), i + 1);
  for (const RecordedJob& job : replay.jobs)
    text += fmt::format(
        "aws sagemaker wait training-job-completed-or-stopped --training-job-name {} || true\n",
        job.name);
  return text;
}

std::string interruption(const AccountReplay& replay, Time end, Duration notice,
                         std::size_t number) {
  return fmt::format("  - {{at: {}, kind: interrupt, instance: {}, notice: {}}}\n",
                     format_duration(end - notice - replay.start), number, format_duration(notice));
}

std::string instance_interruptions(const AccountReplay& replay) {
  std::string text;
  for (std::size_t i = 0; i < replay.instances.size(); ++i) {
    const RecordedInstance& instance = replay.instances[i];
    if (!instance.interrupted) continue;
    const Time noticed = std::max(instance.noticed.value_or(*instance.ended - 2min),
                                  instance.running.value_or(*instance.launched));
    text += interruption(replay, *instance.ended,
                         std::max(Duration::zero(), *instance.ended - noticed), i + 1);
  }
  return text;
}

// Each start of a job launches all its instances. SageMaker shows "Interrupted" when EC2 has taken
// one of them.
std::string job_interruptions(const AccountReplay& replay) {
  struct Start {
    Time at;
    const RecordedJob* job;
    std::optional<Time> interrupted;
  };
  std::vector<Start> starts;
  for (const RecordedJob& job : replay.jobs) {
    starts.push_back({job.created, &job, {}});
    for (const RecordedTransition& transition : job.transitions)
      if (transition.status == "Interrupted") {
        starts.back().interrupted = transition.from;
        starts.push_back({transition.from, &job, {}});
      }
  }
  std::ranges::stable_sort(starts, {}, &Start::at);
  std::string text;
  std::size_t number = 1;
  for (const Start& start : starts) {
    if (start.interrupted) text += interruption(replay, *start.interrupted, 2min, number);
    number += static_cast<std::size_t>(start.job->instances);
  }
  return text;
}

std::string image_of(const AccountReplay& replay, std::size_t number) {
  return fmt::format("123456789012.dkr.ecr.{}.amazonaws.com/recorded-{}:latest", replay.region,
                     number);
}

// The instant at which the job's last container ended.
Time training_end(const RecordedJob& job) {
  for (const RecordedTransition& transition : job.transitions)
    if (transition.status == "Uploading") return transition.from;
  return *job.ended;
}

std::string job_json(const AccountReplay& replay, std::size_t number) {
  const RecordedJob& job = replay.jobs[number - 1];
  const auto most = std::chrono::ceil<std::chrono::seconds>(replay.limit - job.created).count();
  Json json{
      {"TrainingJobName", job.name},
      {"AlgorithmSpecification",
       {{"TrainingImage", image_of(replay, number)}, {"TrainingInputMode", "File"}}},
      {"RoleArn", "arn:aws:iam::123456789012:role/service-role/AmazonSageMaker-ExecutionRole"},
      {"OutputDataConfig", {{"S3OutputPath", "s3://recorded-jobs/output"}}},
      {"ResourceConfig",
       {{"InstanceType", job.instance_type},
        {"InstanceCount", job.instances},
        {"VolumeSizeInGB", 30}}},
      {"EnableManagedSpotTraining", job.spot},
      {"StoppingCondition", {{"MaxRuntimeInSeconds", most}}}};
  if (job.spot) json["StoppingCondition"]["MaxWaitTimeInSeconds"] = most;
  return json.dump(2) + "\n";
}

std::string train_script(const RecordedJob& job) {
  return fmt::format(
      "#!/bin/sh\n# The recorded job trained until this instant.\n"
      "left=$(( {} - $(date +%s) ))\n[ $left -le 0 ] || sleep $left\n{}",
      std::chrono::duration_cast<std::chrono::seconds>(training_end(job).time_since_epoch())
          .count(),
      job.status == "Failed" ? "exit 1\n" : "");
}

std::string images(const AccountReplay& replay) {
  if (replay.jobs.empty()) return "";
  std::string text = "guest:\n  images:\n";
  for (std::size_t i = 1; i <= replay.jobs.size(); ++i)
    text += fmt::format("    {}: {{root: image-{}}}\n", image_of(replay, i), i);
  return text + "\n";
}

std::string durations(const AccountReplay& replay) {
  if (replay.durations.empty()) return "";
  std::string text = "durations:                             # as recorded\n";
  for (const auto& [name, range] : replay.durations) text += fmt::format("  {}: {}\n", name, range);
  return text + "\n";
}

std::string scenario_yaml(const AccountReplay& replay) {
  const bool has_jobs = !replay.jobs.empty();
  const std::string interruptions =
      has_jobs ? job_interruptions(replay) : instance_interruptions(replay);
  return fmt::format(
      "# Made by `spotsim import aws`.\n"
      "name: imported\n"
      "description: Replays records of an AWS account.\n"
      "seed: 1\nstart: {}\nlimit: {}\nregion: {}\n\n"
      "market: {{prices: [prices.json]}}\n\n"
      "latencies: {{api: 0s}}                   # records state when AWS answered\n\n"
      "{}{}{}evidence: scripts\n\n"
      "operator:\n  files: calls\n  script: |\n{}",
      iso_seconds(replay.start), format_duration(replay.limit - replay.start), replay.region,
      durations(replay), interruptions.empty() ? "" : "faults:\n" + interruptions + "\n",
      images(replay), indented(kHead + (has_jobs ? job_calls(replay) : instance_calls(replay)), 4));
}

}  // namespace

std::vector<ReplayFile> replay_files(const AccountReplay& replay) {
  std::vector<ReplayFile> files{
      {"scenario.yaml", scenario_yaml(replay)},
      {"prices.json", traces::to_aws_json(replay.prices)},
      {"calls/README", "The working directory of the replay's script.\n"}};
  for (std::size_t i = 1; i <= replay.jobs.size(); ++i) {
    files.push_back({fmt::format("calls/job-{}.json", i), job_json(replay, i)});
    files.push_back({fmt::format("image-{}/usr/local/bin/train", i),
                     train_script(replay.jobs[i - 1]), /*is_program=*/true});
  }
  return files;
}

}  // namespace sim::cli
