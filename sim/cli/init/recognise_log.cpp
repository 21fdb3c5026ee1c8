#include "sim/cli/init/recognise_log.h"

#include <utility>

#include "sim/guest/process/progress/progress_reader.h"
#include "sim/scenario/progress_formats.h"

namespace sim::cli {
namespace {

using guest::LinePattern;

// A rule that may read the log.
struct Candidate {
  std::string name;
  std::optional<LinePattern> start, epoch, step, checkpoint;
  std::string assumed;
};

Candidate of_format(const scenario::ProgressFormat& format) {
  guest::ProgressRule rule = scenario::rule_of(format);
  return {std::string(format.name), std::move(rule.start),      std::move(rule.epoch),
          std::move(rule.step),     std::move(rule.checkpoint), ""};
}

// Lines such as "Resuming from step 8" and "Saved /ckpt/a.pt at step 8", beside the steps.
Candidate plain(const std::string& step, std::string assumed) {
  return {"plain",
          LinePattern(R"((?i)\bresum\w*\b.*?\b(?:step|epoch|iteration)[ :=]*(?<step>\d+))"),
          {},
          LinePattern(step),
          LinePattern(R"((?i)\b(?:sav(?:ed|ing)|wrote|writing|checkpoint)\b.*?)"
                      R"((?<path>(?:s3:/)?/\S*[\w*]|[\w./-]+\.(?:pt|pth|ckpt|h5|npz|pkl|bin)\b))"
                      R"((?:.*?\bstep[ :=]*(?<step>\d+))?)"),
          std::move(assumed)};
}

// Special patterns come first: tqdm's also matches the bars of Lightning and Hugging Face.
std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const char* name : {"keras", "lightning", "huggingface", "caffe", "tqdm"})
    for (const scenario::ProgressFormat& format : scenario::progress_formats())
      if (format.name == name) all.push_back(of_format(format));
  all.push_back(plain(R"((?i)\bstep[ :=\[]*(\d+) ?(?:/|of) ?(\d+))", ""));
  all.push_back(plain(R"((?i)\bepoch[ :=\[]*(\d+) ?(?:/|of) ?(\d+))",
                      "an epoch counts as one step, and its line comes when it is done"));
  all.push_back(plain(R"((?i)\b(?:step|iteration|iter)[ :=\[]*(\d+))",
                      "no line has the number of all steps; add `finished`"));
  return all;
}

std::vector<std::string> lines_of(std::string_view log) {
  std::vector<std::string> lines;
  while (!log.empty()) {
    const std::size_t end = log.find_first_of("\r\n");
    lines.push_back(guest::without_controls(log.substr(0, end)));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
  }
  return lines;
}

// True if the line matches. Keeps the first such line.
bool matches(const std::optional<LinePattern>& pattern, const std::string& line,
             std::string& first) {
  if (!pattern || !pattern->find(line)) return false;
  if (first.empty()) first = line;
  return true;
}

std::vector<std::string> block_of(const Candidate& rule, const RecognisedLog& found) {
  if (rule.name != "plain") return {"format: " + rule.name};
  std::vector<std::string> block;
  const auto add = [&block](const char* key, const std::optional<LinePattern>& pattern) {
    block.push_back(std::string(key) + ": '" + pattern->text() + "'");
  };
  if (!found.start.empty()) add("start", rule.start);
  add("step", rule.step);
  if (!found.checkpoint.empty()) add("checkpoint", rule.checkpoint);
  return block;
}

}  // namespace

std::optional<RecognisedLog> recognise_log(std::string_view log) {
  const std::vector<std::string> lines = lines_of(log);
  for (const Candidate& rule : candidates()) {
    RecognisedLog found{.name = rule.name, .assumed = rule.assumed};
    for (const std::string& line : lines) {
      const bool starts = matches(rule.start, line, found.start);
      matches(rule.epoch, line, found.epoch);
      const bool saved = matches(rule.checkpoint, line, found.checkpoint);
      found.checkpoints += saved;
      // A plain rule without a total would take "Saved a.pt at step 8" for a step.
      if (rule.name == "plain" && (starts || saved)) continue;
      found.steps += matches(rule.step, line, found.step);
    }
    if (found.steps == 0 || (rule.epoch && found.epoch.empty())) continue;
    found.block = block_of(rule, found);
    if (!found.checkpoint.empty())
      found.path = rule.checkpoint->find(found.checkpoint)->group("path", 1).value_or("");
    return found;
  }
  return {};
}

}  // namespace sim::cli
