// spotsim init
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <set>

#include "sim/cli/commands.h"
#include "sim/cli/init/recognise_log.h"
#include "sim/cli/init/scenario_draft.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/scenario/scenario.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

// Options that do not fit together, or an answer that ends the command.
struct InitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::size_t kLongestExample = 100;  // bytes of a log's line that are shown

void show(const RecognisedLog& log, const fs::path& file) {
  fmt::print(stderr, "{}: format {}, {} lines with steps, {} with checkpoints\n", file.string(),
             log.name, log.steps, log.checkpoints);
  const std::pair<const char*, const std::string*> kinds[] = {{"start", &log.start},
                                                              {"epoch", &log.epoch},
                                                              {"step", &log.step},
                                                              {"checkpoint", &log.checkpoint}};
  for (const auto& [kind, line] : kinds)
    if (!line->empty())
      fmt::print(stderr, "  {:<10}  {}\n", kind, line->substr(0, kLongestExample));
  if (!log.assumed.empty()) fmt::print(stderr, "  assumed: {}\n", log.assumed);
}

// Asks on a terminal only: elsewhere, the examples and the scenario's comments must do.
void confirm(const InitCommand& command) {
  if (command.yes || isatty(STDIN_FILENO) == 0) return;
  fmt::print(stderr, "Is this right? [Y/n] ");
  std::string answer;
  if (!std::getline(std::cin, answer) || answer.starts_with('n') || answer.starts_with('N'))
    throw InitError(
        "--log: not confirmed. Leave it out, and write `progress` (docs/foreign-jobs.md)");
}

// Files like the checkpoint that the log names by a relative path. Empty: it names none so, or the
// user data does not show their folder.
std::string files_like(const RecognisedLog& log, const ScriptFacts& facts) {
  if (log.path.empty() || log.path.starts_with('/') || log.path.starts_with("s3:")) return "";
  if (facts.folder.empty()) {
    say(Style::kWarning, fmt::format("--log: {} is a relative path. Name the folder by "
                                     "--checkpoint-files, such as /FOLDER/{}",
                                     log.path, log.path));
    return "";
  }
  const fs::path path = (fs::path(facts.folder) / log.path).lexically_normal();
  return (path.parent_path() / ("*" + path.extension().string())).string();
}

std::string checkpoint_of(const InitCommand& command, const RecognisedLog& log) {
  return command.checkpoint_files.empty() ? log.path : command.checkpoint_files;
}

// The key `evidence` for the prefixes to which the user data may copy checkpoints.
std::string copies(const std::set<std::string>& prefixes) {
  if (prefixes.size() == 1 && !prefixes.begin()->empty())
    return fmt::format("evidence: {{copies: {}}}  # assumed: where the user data copies files\n",
                       quoted(*prefixes.begin()));
  std::string names;
  for (const std::string& prefix : prefixes)
    names += (names.empty() ? "" : ", ") + (prefix.empty() ? "a bucket in a variable" : prefix);
  return fmt::format("# evidence: {{copies: PREFIX}}  # if one of these has the checkpoints: {}\n",
                     names);
}

std::string evidence(const InitCommand& command, const std::optional<RecognisedLog>& log,
                     const ScriptFacts& facts) {
  if (!command.copies.empty())
    return fmt::format("evidence: {{copies: {}}}\n", quoted(command.copies));
  if (!log) return "evidence: scripts  # assumed: the scripts' success shows that training ended\n";
  const bool checkpoints = !log->checkpoint.empty() || !command.checkpoint_files.empty();
  if (checkpoints && !facts.copies.empty() && !log->path.starts_with("s3:"))
    return copies(copies_of(checkpoint_of(command, *log), facts));
  if (checkpoints) return "";
  return "evidence: none  # assumed: the log shows no checkpoint, and --checkpoint-files is "
         "missing\n";
}

// The keys `progress` and `evidence`.
std::string progress_block(const InitCommand& command) {
  const ScriptFacts facts = facts_of_user_data(command);
  if (command.log.empty()) return evidence(command, {}, facts);
  const auto log = recognise_log(traces::load_trace_file(command.log).text);
  if (!log)
    throw InitError(command.log.string() +
                    ": found no line with a step or an epoch, expected a format of "
                    "docs/foreign-jobs.md or a line such as step 3/40");
  show(*log, command.log);
  confirm(command);
  std::string text = fmt::format("\nprogress:  # from {}{}\n", command.log.filename().string(),
                                 log->assumed.empty() ? "" : "; assumed: " + log->assumed);
  for (const std::string& line : log->block) text += "  " + line + "\n";
  if (!command.checkpoint_files.empty())
    text += fmt::format("  checkpoint_files: {}\n", quoted(command.checkpoint_files));
  else if (const std::string files = files_like(*log, facts); !files.empty())
    text += fmt::format("  checkpoint_files: {}  # assumed: from `cd` in {}\n", quoted(files),
                        command.user_data.filename().string());
  return text + evidence(command, log, facts);
}

fs::path folder_of(const fs::path& file) {
  return fs::absolute(file).lexically_normal().parent_path();
}

void check_options(const InitCommand& command) {
  const bool fleet = !command.fleet.empty(), user_data = !command.user_data.empty();
  if (command.training_job.empty() ? !fleet || !user_data : fleet || user_data)
    throw InitError("expected either --user-data and --fleet, or --training-job");
  if (fleet && folder_of(command.fleet) != folder_of(command.user_data))
    throw InitError(fmt::format("--fleet: found the folder {}, expected --user-data's folder {}",
                                folder_of(command.fleet).string(),
                                folder_of(command.user_data).string()));
  if (!command.image.empty() && command.training_job.empty())
    throw InitError("--image: expected --training-job");
  if (!command.checkpoint_files.empty() && command.log.empty())
    throw InitError("--checkpoint-files: expected --log");
  for (const std::string& code : command.code)
    if (code.find('=') == std::string::npos)
      throw InitError(fmt::format("--code: found {}, expected URL=FOLDER", code));
  if (fs::exists(command.out) && !command.force)
    throw InitError(command.out.string() + ": the file exists (--force replaces it)");
}

void init(const InitCommand& command) {
  check_options(command);
  const std::string text = draft_scenario(command, progress_block(command));
  for (const std::string& warning : scenario::parse_scenario(text, command.out).warnings)
    say(Style::kWarning, warning);
  const traces::TraceFile file{.path = command.out, .text = text};
  traces::write_trace_files({&file, 1});
  fmt::print("{} is written. Next: spotsim run {}\n", command.out.string(), command.out.string());
}

void add_options(CLI::App& app, InitCommand& command) {
  app.add_option("--user-data", command.user_data, "the script that instances run at boot");
  app.add_option("--fleet", command.fleet,
                 "the request of `aws ec2 request-spot-fleet`, in the folder of --user-data");
  app.add_option("--training-job", command.training_job,
                 "SageMaker's CreateTrainingJob request, in place of --user-data and --fleet");
  app.add_option("--prices", command.prices, "price traces (docs/traces.md)")->required();
  app.add_option("--log", command.log, "a sample of the training's log");
  app.add_option("--checkpoint-files", command.checkpoint_files,
                 "checkpoints in the instance, such as /ckpt/*.pt, if the log does not name them");
  app.add_option("--copies", command.copies,
                 "where the training copies its checkpoints, such as s3://bucket/run-1");
  app.add_option("--before", command.before,
                 "script that the operator runs before the request, such as for volumes and data");
  app.add_option("--code", command.code, "URL=FOLDER: a repository that the instances clone");
  app.add_option("--image", command.image, "folder with the files of SageMaker's container");
  app.add_option("--job-volume-tag", command.job_volume_tag, "Name tag of the job's volume");
  app.add_option("--start", command.start,
                 "instant in the traces (default: when all usable pools have a price)");
  app.add_option("--limit", command.limit, "maximum simulated time of the run")
      ->capture_default_str();
  app.add_option("--interrupt-after", command.interrupt_after,
                 "interrupt the first instance after this time, such as 30m");
  app.add_flag("--yes", command.yes, "do not ask whether the log was read correctly");
  app.add_flag("--force", command.force, "replace an existing file");
  app.add_option("-o,--out", command.out, "the scenario to write")->capture_default_str();
}

}  // namespace

void add_init_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<InitCommand>();
  CLI::App* const sub =
      app.add_subcommand("init", "Write a scenario from user data, a fleet's request and prices");
  add_options(*sub, *command);
  sub->callback([command, &exit_code] {
    try {
      init(*command);
    } catch (const std::runtime_error& error) {  // InitError, TraceError, ScenarioError
      say(Style::kError, error.what());
      exit_code = 2;
    }
  });
}

}  // namespace sim::cli
