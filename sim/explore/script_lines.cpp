#include "sim/explore/script_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <utility>

#include "base/files/whole_file.h"
#include "sim/explore/matches.h"
#include "sim/explore/shell_lines.h"
#include "sim/explore/user_files.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestScript = 256 * 1024;  // bytes
constexpr std::size_t kLongestLine = 120;           // of a text that is shown

// Data, which makes no calls.
bool is_data(const fs::path& file) {
  static const std::set<std::string> kData{".json", ".jsonl", ".csv", ".gz", ".db", ".svg", ".md"};
  return kData.contains(file.extension().string());
}

// "create-volume" for "CreateVolume"; "list-objects-v2" for "ListObjectsV2".
std::string with_hyphens(std::string_view action) {
  std::string words;
  for (std::size_t i = 0; i < action.size(); ++i) {
    const bool upper = std::isupper(static_cast<unsigned char>(action[i])) != 0;
    if (upper && i > 0 && std::islower(static_cast<unsigned char>(action[i - 1])) != 0)
      words += '-';
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(action[i])));
  }
  return words;
}

// How scripts spell S3's calls beside their own names: commands of `aws s3` and methods of boto3.
struct Spelled {
  std::string_view action;
  std::vector<std::string> words;
};
const std::vector<Spelled>& spellings() {
  static const std::vector<std::string> kUp{"s3 cp", "s3 sync", "s3 mv", "upload_file",
                                            "upload_fileobj"},
      kDown{"s3 cp", "s3 sync", "s3 mv", "download_file", "download_fileobj"},
      kList{"s3 ls", "s3 sync", "s3 cp", "s3 rm", "list_objects"}, kDelete{"s3 rm", "s3 mv"};
  static const std::vector<Spelled> kAll{
      {"PutObject", kUp},          {"CreateMultipartUpload", kUp},
      {"UploadPart", kUp},         {"CompleteMultipartUpload", kUp},
      {"GetObject", kDown},        {"HeadObject", kDown},
      {"ListObjects", kList},      {"ListObjectsV2", kList},
      {"DeleteObject", kDelete},   {"DeleteObjects", kDelete},
      {"CreateBucket", {"s3 mb"}}, {"DeleteBucket", {"s3 rb"}}};
  return kAll;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t\r");
  if (first == line.npos) return "";
  std::string text = line.substr(first, last - first + 1);
  if (text.size() > kLongestLine) text = text.substr(0, kLongestLine) + " …";
  return text;
}

bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool contains(const std::string& line, const std::string& word) {
  const bool open = word.ends_with('-') || word.ends_with('_');
  for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (open || end == line.size() || !continues_word(line[end])) return true;
  }
  return false;
}

bool is_local(const std::string& path) {
  return !path.starts_with("s3://") && !path.starts_with('$');
}

// True if the line copies only in the other direction than this call does. A path that begins with
// a variable may be either.
bool copies_the_other_way(const std::string& line, std::string_view action) {
  static const std::set<std::string_view> kDownloads{"GetObject", "HeadObject"},
      kUploads{"PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"};
  const auto copies = s3_copies(line);
  const auto all_local = [&](auto path) {
    return !copies.empty() && std::ranges::all_of(copies, is_local, path);
  };
  if (kDownloads.contains(action)) return all_local(&S3Copy::from);
  return kUploads.contains(action) && all_local(&S3Copy::to);
}

}  // namespace

ScriptLines::ScriptLines(const scenario::Scenario& scenario) {
  const fs::path folder = scenario.file.parent_path();
  if (!scenario.operator_script.empty()) {
    add(fs::path(scenario.operator_file).filename().string(), scenario.operator_script_line,
        scenario.operator_script);
    operators_.insert(scripts_.back().file);
  }
  std::error_code ignored;
  for (const std::string& input : scenario.inputs) {
    const fs::path path = folder / input;
    if (fs::is_regular_file(path, ignored)) add_file(path, input);
    if (!fs::is_directory(path, ignored)) continue;
    for (const fs::path& file : user_files(path))
      add_file(file, (input / file.lexically_relative(path)).lexically_normal().string());
  }
  for (const Script& script : scripts_)
    if (operator_runs(script.file, scenario)) operators_.insert(script.file);
}

// True if the operator's script runs this file, as in `bash submit.sh`.
bool ScriptLines::operator_runs(const std::string& file, const scenario::Scenario& scenario) {
  static const re2::RE2 kRun(R"re((?:^|[\n;&|(] *)(?:(?:\S*/)?(?:bash|sh|python3?|source|\.) +))re"
                             R"re((?:-\w+ +)*([^\s;&|<>]+))re",
                             re2::RE2::Latin1);
  const std::string& script = scenario.operator_script;
  for (const Match& match : matches_in(script, kRun))
    if (fs::path(match[1]).filename() == fs::path(file).filename()) return true;
  return false;
}

void ScriptLines::add_file(const fs::path& file, const std::string& name) {
  if (is_data(file)) return;
  const auto text = base::read_file(file, kLongestScript);
  if (text && text->find('\0') == text->npos) add(name, 1, *text);
}

void ScriptLines::add(std::string name, int first, const std::string& text) {
  Script script{.file = std::move(name), .first = first, .lines = {}};
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) script.lines.push_back(line);
  scripts_.push_back(std::move(script));
}

std::vector<ScriptLine> ScriptLines::with(const std::vector<std::string>& words) const {
  std::vector<ScriptLine> found;
  for (const Script& script : scripts_) {
    for (std::size_t i = 0; i < script.lines.size(); ++i) {
      const std::string text = trimmed(script.lines[i]);
      if (text.starts_with('#')) continue;
      const std::string& line = script.lines[i];
      if (std::ranges::any_of(words, [&](const std::string& word) { return contains(line, word); }))
        found.push_back({script.file, script.first + static_cast<int>(i), text});
    }
  }
  return found;
}

std::vector<ScriptLine> ScriptLines::calling(std::string_view action,
                                             std::string_view machine) const {
  const std::string hyphens = with_hyphens(action);
  std::string underscores = hyphens;
  std::ranges::replace(underscores, '-', '_');
  std::vector<std::string> words{hyphens, underscores};
  // `aws ec2 wait volume-available` and get_waiter("volume_available") make Describe calls.
  if (hyphens.starts_with("describe-") && hyphens.ends_with('s')) {
    const std::string noun = hyphens.substr(9, hyphens.size() - 10);
    std::string waiter = noun;
    std::ranges::replace(waiter, '-', '_');
    words.push_back("wait " + noun + "-");
    words.push_back("get_waiter(\"" + waiter + "_");
    words.push_back("get_waiter('" + waiter + "_");
  }
  if (const auto own = std::ranges::find(spellings(), action, &Spelled::action);
      own != spellings().end())
    words.insert(words.end(), own->words.begin(), own->words.end());
  std::vector<ScriptLine> lines = with(words);
  std::erase_if(lines,
                [&](const ScriptLine& line) { return copies_the_other_way(line.text, action); });
  if (!machine.empty())
    std::ranges::stable_partition(lines, [&](const ScriptLine& line) {
      return operators_.contains(line.file) == (machine == "operator");
    });
  return lines;
}

std::vector<ScriptLine> ScriptLines::asking_for(std::string_view path) const {
  if (path.ends_with('/')) path.remove_suffix(1);
  // The whole path, else its last two parts, else its last one: scripts often have the rest in a
  // variable.
  std::vector<std::string> ends{std::string(path)};
  for (int parts = 2; parts > 0; --parts) {
    std::size_t at = path.size();
    for (int i = 0; i < parts && at != path.npos && at > 0; ++i) at = path.rfind('/', at - 1);
    if (at != path.npos && at + 1 < path.size()) ends.emplace_back(path.substr(at + 1));
  }
  for (const std::string& end : ends)
    if (auto found = with({end}); !found.empty()) return found;
  return {};
}

std::optional<ScriptLine> ScriptLines::line(const std::string& file, int number) const {
  for (const Script& script : scripts_) {
    const int place = number - script.first;
    if (fs::path(script.file).filename() != fs::path(file).filename() || place < 0 ||
        std::cmp_greater_equal(place, script.lines.size()))
      continue;
    return ScriptLine{script.file, number, trimmed(script.lines[static_cast<std::size_t>(place)])};
  }
  return {};
}

std::vector<ScriptLine> ScriptLines::named_in(const std::vector<std::string>& console) const {
  static const re2::RE2 kOfPython(R"re(File "([^"]+)", line (\d{1,6}))re", re2::RE2::Latin1),
      kOfShell(R"re(([^\s:]+): line (\d{1,6}): )re", re2::RE2::Latin1);
  std::vector<ScriptLine> all;
  for (const std::string& text : console) {
    for (const re2::RE2* form : {&kOfPython, &kOfShell}) {
      std::string file;
      int number = 0;
      if (!re2::RE2::PartialMatch(text, *form, &file, &number)) continue;
      const auto found = line(file, number);
      if (found && std::ranges::find(all, *found) == all.end()) all.push_back(*found);
    }
  }
  return all;
}

}  // namespace sim::explore
