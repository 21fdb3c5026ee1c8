#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/files/text_file.h"
#include "base/process/in_parallel.h"
#include "report/page.h"
#include "sim/cli/commands.h"
#include "sim/cli/sweep/advice_json.h"
#include "sim/cli/sweep/advice_plot.h"
#include "sim/cli/sweep/advice_summary.h"
#include "sim/cli/sweep/advice_text.h"
#include "sim/cli/terminal/png.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/scenario/scenario.h"

namespace sim::cli {
namespace {

constexpr int kAnswered = 0, kBadJob = 2;

struct AdviseCommand {
  std::filesystem::path file;
  std::filesystem::path out, plot;  // a folder, and a picture's file; empty: none
  bool json = false, details = false;
  unsigned threads = 0;  // 0: as many as there are cores
};

// Writes advice.json into the folder, and makes the folder if it is missing. Throws
// std::runtime_error.
void write_advice(const std::filesystem::path& folder, const Json& advice) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  base::write_text_file(folder / "advice.json", advice.dump(2) + "\n");
}

// The warnings of all files, each once, because several instance types may share one.
std::vector<std::string> warnings_of(const std::vector<sweep::AdviceFile>& files) {
  std::vector<std::string> all;
  for (const sweep::AdviceFile& file : files)
    for (const std::string& warning : file.warnings)
      if (std::ranges::find(all, warning) == all.end()) all.push_back(warning);
  return all;
}

// Checks that the picture can be written. Throws std::runtime_error.
void check_plot(const std::filesystem::path& plot) {
  const std::string ending = plot.extension().string();
  if (!plot.empty() && ending != ".svg" && ending != ".png" && ending != ".html")
    throw std::runtime_error(fmt::format(
        "--plot: found {}, expected a file that ends in .svg, .png or .html", plot.string()));
}

// Writes a picture, or for .html the page of the advice. Throws std::runtime_error.
void write_plot(const std::filesystem::path& plot, const sweep::Answer& answer, const Json& json) {
  if (plot.extension() != ".html" && answer.advised().curve.empty())
    throw std::runtime_error(
        "--plot: found nothing to draw, because renting on demand needs no checkpoints; a page "
        "(--plot cost.html) compares the strategies");
  const std::string text = plot.extension() == ".html"  ? ::page::page_of(json.dump())
                           : plot.extension() == ".png" ? png_of(advice_picture(answer))
                                                        : advice_picture(answer);
  base::write_text_file(plot, text);
}

void print_text(const AdviseCommand& command, const sweep::Answer& answer) {
  const Styler styled(stdout);
  fmt::print("{}", advice_summary(answer, styled));
  if (command.details)
    for (const sweep::TypeAnswer* const type : types_best_first(answer))
      fmt::print("\n{}", advice_text(type->file, type->advice, styled));
  std::string files;
  if (!command.plot.empty()) files = command.plot.string();
  if (!command.out.empty())
    files += fmt::format("{}{}/advice.json (`spotsim report {}` draws it)",
                         files.empty() ? "" : ", ", command.out.string(), command.out.string());
  if (!files.empty()) fmt::print("\nFiles: {}\n", files);
}

void print_answer(const AdviseCommand& command, const sweep::Answer& answer) {
  const bool needs_json =
      command.json || !command.out.empty() || command.plot.extension() == ".html";
  const Json json = needs_json ? advice_json(answer) : Json();
  if (!command.out.empty()) write_advice(command.out, json);
  if (!command.plot.empty()) write_plot(command.plot, answer, json);
  if (command.json) return fmt::print("{}\n", json.dump(2));
  print_text(command, answer);
}

int advise(const AdviseCommand& command) {
  try {
    check_plot(command.plot);
    std::vector<sweep::AdviceFile> files = sweep::read_advice_files(command.file);
    for (const std::string& warning : warnings_of(files)) say(Style::kWarning, warning);
    const unsigned threads =
        command.threads ? command.threads : static_cast<unsigned>(base::cores());
    print_answer(command, sweep::answer(std::move(files), threads));
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
  advise_app->add_flag("--details", command->details,
                       "also print why, the next best ways, what if, assumptions and commands");
  advise_app->add_option("--plot", command->plot,
                         "a picture of cost against interval (.svg, .png), or the page (.html)");
  advise_app->callback([command, &exit_code] { exit_code = advise(*command); });
}

}  // namespace sim::cli
