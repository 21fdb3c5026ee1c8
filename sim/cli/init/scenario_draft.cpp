#include "sim/cli/init/scenario_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "sim/cli/init/job_request.h"
#include "sim/cli/init/script_facts.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string text_of(const fs::path& file) {
  return file.empty() ? "" : traces::load_trace_file(file).text;
}

// A path as the scenario has it.
std::string relative(const fs::path& path, const InitCommand& command) {
  return quoted(fs::relative(fs::absolute(path), fs::absolute(command.out).parent_path()).string());
}

bool matches(const market::Pool& pool, const JobRequest& request) {
  return request.types.contains(pool.instance_type) &&
         (request.zones.empty() || request.zones.contains(pool.availability_zone)) &&
         (request.region.empty() || pool.availability_zone.starts_with(request.region));
}

// The first instant at which all pools of the request have a price, in whole seconds. Sets the
// region if the request does not state it.
std::string first_priced(const InitCommand& command, JobRequest& request) {
  std::optional<Time> latest;
  for (const fs::path& file : command.prices) {
    for (const auto& [pool, points] : traces::read_price_history(file).pools) {
      if (points.empty() || !matches(pool, request)) continue;
      if (request.region.empty()) {
        request.region = pool.availability_zone.substr(0, pool.availability_zone.size() - 1);
        request.region_from = "the first pool of " + file.filename().string();
      }
      latest = std::max(latest.value_or(points.front().at), points.front().at);
    }
  }
  if (latest) return iso_seconds(std::chrono::ceil<std::chrono::seconds>(*latest));
  traces::fail_file(traces::open_trace_file(command.prices.front()),
                    fmt::format("no price of {}", fmt::join(request.types, ", ")),
                    "prices of a pool that the request can use");
}

std::string heading(const InitCommand& command, JobRequest& request) {
  const std::string priced = first_priced(command, request);
  std::string text = "# Written by `spotsim init`. Check what is marked as assumed.\n";
  text += fmt::format("name: {}\n", quoted(command.out.stem().string()));
  text += command.start.empty()
              ? fmt::format("start: {}  # assumed: when all pools have a price\n", priced)
              : fmt::format("start: {}\n", command.start);
  text += fmt::format("limit: {}{}\n", command.limit,
                      command.limit == InitCommand().limit ? "  # assumed" : "");
  return text + fmt::format("region: {}  # from {}\n", request.region, request.region_from);
}

std::string market(const InitCommand& command) {
  std::string text = "\nmarket:\n  prices:\n";
  for (const fs::path& path : command.prices)
    text += fmt::format("    - {}\n", relative(path, command));
  return text +
         (command.interrupt_after.empty()
              ? "# To interrupt the first instance: interruptions: [{instance: 1, after: 30m}]\n"
              : fmt::format("interruptions: [{{instance: 1, after: {}}}]\n",
                            command.interrupt_after));
}

std::string files_of_guests(const InitCommand& command, const JobRequest& request) {
  std::string text;
  if (!command.image.empty())
    text += fmt::format("guest:\n  images:\n    {}:\n      root: {}\n", quoted(request.image),
                        relative(command.image, command));
  if (!command.code.empty()) text += "code:\n";
  for (const std::string& code : command.code) {
    const std::size_t sign = code.rfind('=');
    text += fmt::format("  {}: {}\n", quoted(code.substr(0, sign)),
                        relative(code.substr(sign + 1), command));
  }
  if (!command.job_volume_tag.empty())
    text += fmt::format("job_volume_tag: {}\n", quoted(command.job_volume_tag));
  return text;
}

std::string indented_for_script(const std::string& text) {
  std::string lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines += end > from ? "    " + text.substr(from, end - from) + "\n" : "\n";
    from = end + 1;
  }
  return lines;
}

// Whether a script has this name of a bucket or URI of an object, and not only as a part of another
// name such as "dataset" or "data.csv".
bool mentions(std::string_view script, std::string_view name) {
  const auto continues = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
  };
  for (auto at = script.find(name); at != script.npos; at = script.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !continues(script[at - 1])) &&
        (end == script.size() || !continues(script[end])))
      return true;
  }
  return false;
}

// Makes the buckets that `before` does not mention.
std::string make_buckets(const std::set<std::string>& buckets, const std::string& before) {
  std::string lines;
  for (const std::string& bucket : buckets)
    if (!mentions(before, bucket))
      lines += fmt::format("aws s3 mb s3://{}  # assumed: empty at first\n", bucket);
  return lines;
}

// Uploads the files beside the user data that it downloads.
std::string upload_files(const ScriptFacts& facts, const std::string& before) {
  std::string lines;
  for (const auto& [uri, file] : facts.uploads)
    if (!mentions(before, uri))
      lines +=
          fmt::format("aws s3 cp {} {} --only-show-errors  # assumed: the user data needs it\n",
                      shell_word(file), shell_word(uri));
  return lines;
}

std::string request_fleet(const InitCommand& command) {
  return fmt::format(
      "request=$(mktemp)  # the fleet, with the user data in each launch specification\n"
      "python3 - {} {} >\"$request\" <<'END'\n"
      "import base64, json, sys\n"
      "fleet = json.load(open(sys.argv[1]))\n"
      "fleet = fleet.get('SpotFleetRequestConfig', fleet)\n"
      "for one in fleet['LaunchSpecifications']:\n"
      "    one['UserData'] = base64.b64encode(open(sys.argv[2], 'rb').read()).decode()\n"
      "json.dump(fleet, sys.stdout)\n"
      "END\n"
      "aws ec2 request-spot-fleet --spot-fleet-request-config \"file://$request\"\n",
      shell_word(command.fleet.filename()), shell_word(command.user_data.filename()));
}

std::string create_training_job(const InitCommand& command, const JobRequest& request) {
  return fmt::format(
      "aws sagemaker create-training-job --training-job-name {0} --cli-input-json {1}\n"
      "aws sagemaker wait training-job-completed-or-stopped --training-job-name {0}\n",
      shell_word(request.name.empty() ? "training" : request.name),
      shell_word("file://" + command.training_job.filename().string()));
}

std::string operator_block(const InitCommand& command, const JobRequest& request) {
  const bool sagemaker = !command.training_job.empty();
  const fs::path folder =
      fs::absolute(sagemaker ? command.training_job : command.fleet).parent_path();
  const std::string before = text_of(command.before);
  const ScriptFacts facts = facts_of_user_data(command);
  std::set<std::string> buckets = facts.buckets;
  buckets.insert(request.buckets.begin(), request.buckets.end());
  return fmt::format("\noperator:\n  files: {}\n  script: |\n    set -e\n",
                     relative(folder, command)) +
         indented_for_script(
             make_buckets(buckets, before) + before + upload_files(facts, before) +
             (sagemaker ? create_training_job(command, request) : request_fleet(command)));
}

}  // namespace

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\'');
  return "'" + text + "'";
}

ScriptFacts facts_of_user_data(const InitCommand& command) {
  if (command.user_data.empty()) return {};
  return facts_of(text_of(command.user_data),
                  fs::absolute(command.user_data).lexically_normal().parent_path());
}

std::string draft_scenario(const InitCommand& command, const std::string& progress) {
  JobRequest request = command.training_job.empty() ? read_fleet_request(command.fleet)
                                                    : read_training_job(command.training_job);
  return heading(command, request) + market(command) + files_of_guests(command, request) +
         progress + operator_block(command, request) +
         "\nexpect: {outcome: completed}  # assumed\n";
}

}  // namespace sim::cli
