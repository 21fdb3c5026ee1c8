#include "sim/guest/fiber/aws_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/autoscaling.h"
#include "api/json.h"
#include "api/refusal.h"
#include "api/sagemaker.h"
#include "api/value.h"
#include "base/files/whole_file.h"
#include "base/json/json_instances.h"
#include "base/text/base64.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Commands whose request consists of a file and options.
struct ServiceCommand {
  const char* program;
  const char* command;
  const api::Service& service;
  const char* operation;
};
constexpr std::array<ServiceCommand, 3> kServiceCommands{{
    {"sagemaker", "create-training-job", api::sagemaker::kService, "CreateTrainingJob"},
    {"autoscaling", "create-launch-configuration", api::autoscaling::kService,
     "CreateLaunchConfiguration"},
    {"autoscaling", "create-auto-scaling-group", api::autoscaling::kService,
     "CreateAutoScalingGroup"},
}};

// A part of a command that cannot be read.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct BucketPath {
  std::string bucket, key;
};

BucketPath bucket_path(const std::string& uri) {
  constexpr std::string_view kScheme = "s3://";
  if (!uri.starts_with(kScheme) || uri.size() == kScheme.size())
    throw Unreadable(fmt::format("found \"{}\", expected s3://BUCKET/KEY", uri));
  const std::string path = uri.substr(kScheme.size());
  const auto slash = path.find('/');
  if (slash == path.npos) return {path, ""};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// "TrainingJobName" → "--training-job-name", as aws-cli names the options of a request.
std::string option_of(std::string_view member) {
  std::string option = "-";
  for (const char c : member) {
    if (c >= 'A' && c <= 'Z') option += '-';
    option += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return option;
}

std::string text_of(const fs::path& folder, const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  const auto text = base::read_file(folder / uri.substr(kScheme.size()));
  if (!text) throw Unreadable(fmt::format("{}: there is no such file next to the scenario", uri));
  return *text;
}

json parsed(const std::string& text, const std::string& what) {
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) throw Unreadable(what + ": found no JSON");
  return value;
}

// aws-cli's shorthand of a flat structure: "A=1,B=2".
json shorthand(const std::string& text, const std::string& option, const api::Shape& shape) {
  json out = json::object();
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == part.npos)
      throw Unreadable(
          fmt::format("{}: found \"{}\", expected JSON or NAME=VALUE,…", option, text));
    const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
    const auto member = std::ranges::find(shape.members, name, &api::Member::name);
    const bool is_text =
        shape.type == api::Type::kMap || (member != shape.members.end() && member->shape &&
                                          member->shape->type == api::Type::kString);
    out[name] = is_text ? json(value) : parsed(value, option + ": " + name);
  }
  return out;
}

json value_of(const std::string& text, const std::string& option, const api::Shape& shape,
              const fs::path& folder) {
  if (text.starts_with("file://")) return value_of(text_of(folder, text), option, shape, folder);
  if (shape.type == api::Type::kString) return text;
  if (text.starts_with('{') || text.starts_with('[')) return parsed(text, option);
  if (shape.type == api::Type::kStructure || shape.type == api::Type::kMap)
    return shorthand(text, option, shape);
  return parsed(text, option);
}

// Builds a request from a file and options.
class RequestOptions {
 public:
  RequestOptions(CLI::App& app, const ServiceCommand& command)
      : app_(app), service_(command.service), operation_(*command.service.find(command.operation)) {
    app.add_option("--cli-input-json", file_);
    for (const api::Member& member : operation_.input.shape->members) {
      if (!member.shape) continue;
      const std::string option = option_of(member.name);
      if (member.shape->type == api::Type::kBoolean)
        flags_[std::string(member.name)] = app.add_flag(option + ",!--no-" + option.substr(2));
      else
        app.add_option(option, texts_[std::string(member.name)]);
    }
  }

  bool parsed() const { return app_.parsed(); }

  CallService call(const fs::path& folder) const {
    json all = json::object();
    if (!file_.empty()) {
      if (!file_.starts_with("file://"))
        throw Unreadable(
            fmt::format("--cli-input-json: found \"{}\", expected file://NAME", file_));
      all = guest::parsed(text_of(folder, file_), file_);
    }
    const api::Shape& shape = *operation_.input.shape;
    for (const auto& [name, flag] : flags_)
      if (flag->count() > 0) all[name] = flag->as<bool>();
    for (const auto& [name, text] : texts_)
      if (!text.empty())
        all[name] = value_of(text, option_of(name), *api::member_named(shape, name).shape, folder);
    check(all);
    // botocore encodes a launch configuration's user data (handlers.py, base64_encode_user_data).
    const auto user_data = all.find("UserData");
    if (user_data != all.end()) *user_data = base::base64_encode(user_data->get<std::string>());
    return {&service_, &operation_, all.dump()};
  }

 private:
  void check(const json& all) const {
    const std::string in = file_.empty() ? "" : file_ + ": ";
    api::Object made(*operation_.input.shape);
    try {
      api::read_json_value(all, made.shape(), made.get(), api::JsonStyle::kPlain);
    } catch (const api::Refusal& refused) {
      const bool no_member = refused.why == api::Refusal::Why::kUnknown ||
                             refused.why == api::Refusal::Why::kUnsupported;
      throw Unreadable(
          in + refused.where + ": " +
          (no_member ? fmt::format("no member of {} that spotsim reads", operation_.name)
                     : fmt::format("found {}, expected {}", refused.found, refused.expected)));
    }
  }

  const CLI::App& app_;
  const api::Service& service_;
  const api::Operation& operation_;
  std::string file_;
  std::map<std::string, CLI::Option*> flags_;  // by member
  std::map<std::string, std::string> texts_;
};

// Reads the words of one aws-cli command and makes the command.
class AwsReader {
 public:
  AwsReader(const fs::path& folder, const DataFolders& folders)
      : folder_(folder), folders_(folders) {
    app_.set_help_flag();
    app_.require_subcommand(1);
    CLI::App& s3 = sub(app_, "s3");
    s3.require_subcommand(1);
    mb_ = &sub(s3, "mb");
    mb_->add_option("uri", uri_)->required();
    cp_ = &sub(s3, "cp");
    cp_->add_flag("--recursive", recursive_)->required();
    cp_->add_flag("--only-show-errors,--quiet,--no-progress", quiet_);
    cp_->add_option("from", from_)->required();
    cp_->add_option("to", uri_)->required();
    ls_ = &sub(s3, "ls");
    ls_->add_flag("--recursive", recursive_);
    ls_->add_option("uri", uri_)->required();
    CLI::App& sagemaker = sub(app_, "sagemaker");
    CLI::App& autoscaling = sub(app_, "autoscaling");
    for (CLI::App* const service : {&sagemaker, &autoscaling}) service->require_subcommand(1);
    for (const ServiceCommand& row : kServiceCommands)
      calls_.emplace_back(sub(*app_.get_subcommand(row.program), row.command), row);
    describe_ = &sub(sagemaker, "describe-training-job");
    CLI::App& wait = sub(sagemaker, "wait");
    wait.require_subcommand(1);
    wait_ = &sub(wait, "training-job-completed-or-stopped");
    for (CLI::App* const one : {describe_, wait_})
      one->add_option("--training-job-name", job_)->required();
  }

  AwsCommand read(const std::vector<std::string>& words) {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
    if (describe_->parsed()) return DescribeTrainingJob{job_};
    if (wait_->parsed()) return AwaitTrainingJob{job_};
    for (const RequestOptions& call : calls_)
      if (call.parsed()) return call.call(folder_);
    BucketPath at = bucket_path(uri_);
    if (mb_->parsed()) return MakeBucket{at.bucket};
    if (ls_->parsed()) return ListObjects{at.bucket, at.key, recursive_};
    const auto files = folders_.find(from_);
    if (files == folders_.end())
      throw Unreadable(fmt::format(
          "found the folder {}, expected one that `spottrain synthesize` wrote before", from_));
    while (at.key.ends_with('/')) at.key.pop_back();
    return UploadFolder{at.bucket, at.key, files->second};
  }

 private:
  static CLI::App& sub(CLI::App& of, const char* name) {
    CLI::App& made = *of.add_subcommand(name);
    made.set_help_flag();
    return made;
  }

  const fs::path& folder_;
  const DataFolders& folders_;
  CLI::App app_;
  CLI::App *mb_, *cp_, *ls_, *describe_, *wait_;
  std::deque<RequestOptions> calls_;  // stable addresses, because CLI11 keeps pointers to members
  std::string uri_, from_, job_;
  bool recursive_ = false, quiet_ = false;
};

std::string words_of(const SimpleCommand& command) {
  return fmt::format("found `{}`", fmt::join(command.words, " "));
}

}  // namespace

AwsCommand read_aws(const SimpleCommand& command, const fs::path& folder,
                    const DataFolders& folders) {
  try {
    return AwsReader(folder, folders).read(command.words);
  } catch (const CLI::ParseError& error) {
    throw ScriptError(command.line, words_of(command) + ": " + error.what() +
                                        "; of aws, fiber guests support s3 mb, s3 cp --recursive, "
                                        "s3 ls, of sagemaker create-training-job, "
                                        "describe-training-job and wait "
                                        "training-job-completed-or-stopped, and of autoscaling "
                                        "create-launch-configuration and "
                                        "create-auto-scaling-group");
  } catch (const Unreadable& error) {
    throw ScriptError(command.line, words_of(command) + ": " + error.what());
  }
}

// Adds the files, with sizes, of the CIFAR-10 data set that the command would write.
void read_spottrain(const SimpleCommand& command, DataFolders& folders) {
  constexpr std::uint64_t kRecord = 3073, kBatch = 10'000, kNames = 70;
  std::uint64_t train = 10'000, test = 2'000, seed = 1;
  std::string name;
  CLI::App app;
  app.set_help_flag();
  CLI::App& synthesize = *app.add_subcommand("synthesize");
  app.require_subcommand(1);
  synthesize.set_help_flag();
  synthesize.add_option("DIR", name)->required();
  const CLI::Range images(1.0, static_cast<double>(UINT32_MAX));
  synthesize.add_option("--train", train)->check(images);
  synthesize.add_option("--test", test)->check(images);
  synthesize.add_option("--seed", seed);
  try {
    app.parse(std::vector<std::string>(command.words.rbegin(), command.words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    throw ScriptError(command.line, words_of(command) + ": " + error.what() +
                                        "; of spottrain, fiber guests support synthesize");
  }
  auto& files = folders[name];
  for (std::uint64_t batch = 0; batch * kBatch < train; ++batch)
    files[fmt::format("data_batch_{}.bin", batch + 1)] =
        std::min(kBatch, train - batch * kBatch) * kRecord;
  files["test_batch.bin"] = test * kRecord;
  files["batches.meta.txt"] = kNames;
}

}  // namespace sim::guest
