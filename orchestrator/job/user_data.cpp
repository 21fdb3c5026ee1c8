#include "orchestrator/job/user_data.h"

#include <fmt/format.h>

#include "orchestrator/failure.h"

namespace spotrun {
namespace {

constexpr std::size_t kMostBytes = 16 * 1024;
constexpr std::string_view kBeforeDocument =
    "#!/bin/bash\n"
    "set -eu\n"
    "job=$(mktemp --tmpdir spotrun-job.XXXXXX)\n"
    "cat > \"$job\" <<'END_OF_JOB'\n";
constexpr std::string_view kBeforeCommand =
    "\nEND_OF_JOB\n"
    "trap : TERM  # spotrun is told, too, and ends first\n"
    "code=0\n"
    "spotrun ";
constexpr std::string_view kAfterCommand =
    " --job \"$job\" || code=$?\n"
    "# An instance where nothing works on the job is of no more use, but would be paid for.\n"
    "[ $code = 0 ] || shutdown -h now\n"
    "exit $code\n";

}  // namespace

std::string user_data(const Job& job, const std::string& subcommand) {
  // The job is in one line, so no line of it can end the here-document.
  const std::string script = fmt::format("{}{}{}{}{}", kBeforeDocument, job.document,
                                         kBeforeCommand, subcommand, kAfterCommand);
  if (script.size() > kMostBytes) {
    throw Failure(ExitCode::kBadInput,
                  fmt::format("the job file makes {} bytes of user data; EC2 takes {}",
                              script.size(), kMostBytes));
  }
  return script;
}

std::optional<UserData> read_user_data(std::string_view script) {
  if (!script.starts_with(kBeforeDocument) || !script.ends_with(kAfterCommand)) return {};
  script.remove_prefix(kBeforeDocument.size());
  const auto end = script.find(kBeforeCommand);
  if (end == std::string_view::npos || end > script.find('\n')) return {};
  const std::string_view document = script.substr(0, end);
  script.remove_prefix(end + kBeforeCommand.size());
  if (script.size() < kAfterCommand.size()) return {};
  const std::string_view subcommand = script.substr(0, script.size() - kAfterCommand.size());
  for (const char c : subcommand)
    if (c != '-' && (c < 'a' || c > 'z')) return {};
  return UserData{std::string(document), std::string(subcommand)};
}

}  // namespace spotrun
