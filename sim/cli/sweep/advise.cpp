#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/files/text_file.h"
#include "base/process/in_parallel.h"
#include "sim/cli/commands.h"
#include "sim/cli/sweep/advice_json.h"
#include "sim/cli/sweep/advice_text.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

constexpr int kAnswered = 0, kBadJob = 2;

struct AdviseCommand {
  std::filesystem::path file, out;  // `out`: a folder; empty: none
  bool json = false;
  unsigned threads = 0;  // 0: as many as there are cores
};

// Throws std::runtime_error.
void write_advice(const std::filesystem::path& folder, const Json& advice) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  base::write_text_file(folder / "advice.json", advice.dump(2) + "\n");
}

void answer(const AdviseCommand& command, const sweep::AdviceFile& file,
            const sweep::Advice& advice) {
  const Json json = command.json || !command.out.empty() ? advice_json(file, advice) : Json();
  if (!command.out.empty()) write_advice(command.out, json);
  if (command.json) return fmt::print("{}\n", json.dump(2));
  fmt::print("{}", advice_text(file, advice, Styler(stdout)));
  if (!command.out.empty())
    fmt::print("\nFiles: {0}/advice.json (`spotsim report {0}` draws it)\n", command.out.string());
}

int advise(const AdviseCommand& command) {
  try {
    const sweep::AdviceFile file = sweep::read_advice_file(command.file);
    for (const std::string& warning : file.warnings) say(Style::kWarning, warning);
    const unsigned threads =
        command.threads ? command.threads : static_cast<unsigned>(base::cores());
    answer(command, file, sweep::advise(file.question, threads));
    return kAnswered;
  } catch (const scenario::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::length_error& error) {
    say(Style::kError, fmt::format("{}: trace: {}", command.file.string(), error.what()));
  } catch (const std::runtime_error& error) {
    say(Style::kError, fmt::format("spotsim: {}", error.what()));
  }
  return kBadJob;
}

}  // namespace

void add_advise_command(CLI::App& app, int& exit_code) {
  CLI::App* advise_app =
      app.add_subcommand("advise", "Recommend a checkpoint policy and what to rent");
  auto command = std::make_shared<AdviseCommand>();
  advise_app->add_option("JOB", command->file, "a job file (docs/advise.md)")->required();
  advise_app->add_option("--threads", command->threads, "number of threads (default: one per core)")
      ->check(CLI::Range(1, 1024));
  advise_app->add_option("--out", command->out,
                         "a folder for advice.json, which `spotsim report` draws");
  advise_app->add_flag("--json", command->json, "print advice.json instead (docs/advise.md)");
  advise_app->callback([command, &exit_code] { exit_code = advise(*command); });
}

}  // namespace sim::cli
