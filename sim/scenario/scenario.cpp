#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <memory>
#include <system_error>
#include <utility>

#include "base/files/whole_file.h"
#include "base/text/nearest.h"
#include "sim/scenario/blocks.h"
#include "sim/scenario/scenario_text.h"

namespace sim::scenario {
namespace {

std::string joined(const std::vector<std::string>& messages) {
  return fmt::format("{}", fmt::join(messages, "\n"));
}

// True if the file is a sweep, given by mistake.
bool is_sweep(const Value& root) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  return (has("policies") || has("failing_job") || has("scenario")) && !has("operator");
}

bool is_advice(const Value& root) {
  const auto has = [&](const char* key) { return root.find(key).has_value(); };
  return has("instance_type") && has("work") && !has("operator");
}

void read_identity(Fields& fields, Scenario& s) {
  if (const auto v = fields.require("name", "a name such as az-hop")) {
    s.name = v->name().value_or("");
  }
  if (const auto v = fields.take("description")) s.description = v->text().value_or("");
  if (const auto v = fields.take("seed")) {
    s.seed = static_cast<std::uint64_t>(v->integer(0, INT64_MAX).value_or(1));
  }
}

// Warns of a deadline after the limit. The run ends at its limit, so it could not show whether the
// job meets that deadline.
void check_deadline(const Value& deadline, Scenario& s) {
  const Errors& errors = deadline.errors();
  if (*s.deadline <= s.limit || errors.about("limit") || errors.about("deadline")) return;
  Errors warnings(errors.file_of("deadline"));
  warnings.add(deadline.place(), "deadline: warning",
               fmt::format("found {}, expected at most the limit of {}, at which the run ends: "
                           "unfinished training then counts as late",
                           format_duration(*s.deadline), format_duration(s.limit)));
  for (std::string& text : warnings.messages()) s.warnings.push_back(std::move(text));
}

void read_times(Fields& fields, Scenario& s) {
  if (const auto v = fields.require("start", "an instant in UTC such as 2019-11-05T10:00:00Z")) {
    s.start = v->time().value_or(Time{});
  }
  if (const auto v = fields.require("limit", "a duration such as 12h")) {
    s.limit = v->duration("a duration such as 12h").value_or(Duration{});
  }
  if (const auto v = fields.take("deadline")) {
    s.deadline = v->duration("a duration such as 6h");
    if (s.deadline) check_deadline(*v, s);
  }
}

void read_kept(const Value& block, Scenario& s) {
  constexpr const char* kPath =
      "an absolute path such as /var/log/train.log, or with a pattern as its last part";
  for (const Value& entry : block.list("a list such as [/var/log/train.log]")) {
    const std::string path = entry.text(kPath).value_or("/x");
    const bool pattern_before = path.find_first_of("*?[") < path.rfind('/');
    if (!path.starts_with('/') || path.ends_with('/') || pattern_before) entry.fail(kPath);
    s.keep.push_back(path);
  }
}

void read_evidence(const Value& value, Scenario& s) {
  if (!value.is_map()) {
    const auto word = value.word({"checkpoint", "none", "scripts"});
    s.needs_evidence = word == "checkpoint";
    s.scripts_suffice = word == "scripts";
    return;
  }
  constexpr const char* kCopies = "a URI such as s3://my-bucket/run-1";
  Fields fields(value);
  if (const auto v = fields.require("copies", kCopies)) {
    s.checkpoint_copies = v->text(kCopies).value_or("");
    if (!s.checkpoint_copies.empty() && !s.checkpoint_copies.starts_with("s3://")) v->fail(kCopies);
  }
  fields.finish();
}

void read_rest(Fields& fields, Scenario& s) {
  if (const auto v = fields.require("operator", "a mapping with a script")) read_operator(*v, s);
  if (const auto v = fields.take("code")) read_code(*v, s);
  if (const auto v = fields.take("urls")) read_urls(*v, s);
  if (const auto v = fields.take("guest")) read_guest(*v, s);
  if (const auto v = fields.take("trainer")) read_trainer(*v, s);
  if (const auto v = fields.take("progress")) read_progress(*v, s);
  if (const auto v = fields.take("evidence")) read_evidence(*v, s);
  if (const auto v = fields.take("keep")) read_kept(*v, s);
  if (const auto v = fields.take("job_volume_tag")) {
    s.job_volume_tag = v->text("the value of the job volume's Name tag").value_or("");
  }
  if (const auto v = fields.take("baseline")) read_baseline(*v, s);
  if (const auto v = fields.take("invariants")) s.invariants = read_invariants(*v);
  if (const auto v = fields.take("expect")) s.expect = read_expectations(*v, s.invariants);
}

// Finds a file in the same folder with a similar name, for the message about a missing file.
std::string near_one(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) return "";
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
    names.insert(entry.path().filename().string());
  const auto meant = base::nearest(file.filename().string(), names);
  return meant ? "; there is " + (folder / *meant).string() : "";
}

constexpr std::size_t kMostBases = 8;

// A file of a scenario, parsed.
struct ParsedFile {
  std::filesystem::path path;
  YAML::Node root;
  bool as_parsed = true;  // false: overrides have changed the tree
};

ParsedFile parse_file(const std::string& text, const std::filesystem::path& path) {
  Errors errors(path.string());
  ParsedFile file{path, {}};
  read_yaml(text, errors, [&](const Value& root) { file.root.reset(root.node()); });
  if (!errors.empty()) throw ScenarioError(errors.messages());
  return file;
}

// The path in `based_on`. Empty if the file has no such key.
std::optional<std::filesystem::path> base_of(const ParsedFile& file) {
  Errors errors(file.path.string());
  const auto on = Value(errors, file.root, "").find("based_on");
  if (!on) return {};
  const auto path = on->text("another scenario's file");
  if (!path) throw ScenarioError(errors.messages());
  return (file.path.parent_path() / *path).lexically_normal();
}

// Requires a mapping with keys of a scenario.
void require_scenario(const Value& root, const std::string& file) {
  const char* const found = !root.is_map()    ? "no keys"
                            : is_sweep(root)  ? "a sweep, which `spotsim sweep` takes"
                            : is_advice(root) ? "a job, which `spotsim advise` takes"
                                              : nullptr;
  if (found)
    throw ScenarioError({fmt::format(
        "{}:1:1: scenario: found {}, expected a mapping with name, start, limit, market …", file,
        found)});
}

// Reads a scenario from `files`: the file that the user named comes first, the last base last.
Scenario read_files(std::vector<ParsedFile>& files, const Overrides& overrides) {
  ParsedFile& base = files.back();
  Errors errors(base.path.string());
  const Value root(errors, base.root, "");
  require_scenario(root, base.path.string());
  Scenario s;
  s.file = base.path;
  s.given_as = files.front().path;
  for (const ParsedFile& file : files) s.read_from.push_back(file.path);
  try {
    for (auto file = files.rbegin() + 1; file != files.rend(); ++file)
      apply_file(file->path.string(), file->root, base.root, errors);
    base.as_parsed = false;  // false unless the overrides are restored
    const AppliedOverrides applied(overrides, base.root, errors);
    base.as_parsed = applied.can_restore();
    Fields fields(root);
    read_identity(fields, s);
    read_times(fields, s);
    read_world(fields, s);
    read_rest(fields, s);
    fields.finish();
    check_world(s, root);
  } catch (const YAML::Exception& error) {
    errors.add({}, "YAML", error.what());
  }
  if (!errors.empty()) throw ScenarioError(errors.messages());
  return s;
}

}  // namespace

std::string_view name(GuestKind kind) { return kind == GuestKind::kFiber ? "fiber" : "process"; }

ScenarioError::ScenarioError(std::vector<std::string> messages)
    : std::runtime_error(joined(messages)), messages_(std::move(messages)) {}

Scenario parse_scenario(const std::string& text, const std::filesystem::path& file,
                        const Overrides& overrides) {
  return ScenarioText(text, file).read(overrides);
}

struct ScenarioText::Parsed {
  std::string text;
  std::vector<ParsedFile> files;  // one
};

ScenarioText::ScenarioText(const std::string& text, const std::filesystem::path& file)
    : parsed_(std::make_unique<Parsed>(text, std::vector{parse_file(text, file)})) {}
ScenarioText::ScenarioText(ScenarioText&&) noexcept = default;
ScenarioText& ScenarioText::operator=(ScenarioText&&) noexcept = default;
ScenarioText::~ScenarioText() = default;

Scenario ScenarioText::read(const Overrides& overrides) {
  ParsedFile& file = parsed_->files.front();
  if (!file.as_parsed) file = parse_file(parsed_->text, file.path);
  return read_files(parsed_->files, overrides);
}

std::string read_input(const std::filesystem::path& file) {
  try {
    return base::read_bytes(file, kLargestFile);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::file_too_large)
      throw ScenarioError({fmt::format("{}: file: found more than {} bytes, expected fewer",
                                       file.string(), kLargestFile)});
    throw ScenarioError({fmt::format("cannot read {}: {}{}", file.string(), error.code().message(),
                                     near_one(file))});
  }
}

Scenario read_scenario(const std::filesystem::path& file, const Overrides& overrides) {
  std::vector<ParsedFile> files{parse_file(read_input(file), file)};
  while (const auto base = base_of(files.back())) {
    if (files.size() > kMostBases)
      throw ScenarioError(
          {fmt::format("{}: based_on: found more than {} files that are based on "
                       "one another",
                       file.string(), kMostBases)});
    files.push_back(parse_file(read_input(*base), *base));
  }
  return read_files(files, overrides);
}

}  // namespace sim::scenario
