#include "orchestrator/user_data.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orchestrator/failure.h"

namespace spotrun {
namespace {

constexpr std::size_t kMostBytes = 16 * 1024;

}  // namespace

std::string user_data(const Job& job, const std::string& subcommand) {
  // Compact, and so on one line: no line of it can end the here-document.
  const std::string document = nlohmann::ordered_json::parse(job.text).dump();
  const std::string script = fmt::format(
      "#!/bin/bash\n"
      "set -eu\n"
      "job=$(mktemp --tmpdir spotrun-job.XXXXXX)\n"
      "cat > \"$job\" <<'END_OF_JOB'\n"
      "{}\n"
      "END_OF_JOB\n"
      "trap : TERM  # spotrun is told, too, and ends first\n"
      "code=0\n"
      "spotrun {} --job \"$job\" || code=$?\n"
      "# An instance where nothing works on the job is of no more use, but would be paid for.\n"
      "[ $code = 0 ] || shutdown -h now\n"
      "exit $code\n",
      document, subcommand);
  if (script.size() > kMostBytes) {
    throw Failure(ExitCode::kBadInput,
                  fmt::format("the job file makes {} bytes of user data; EC2 takes {}",
                              script.size(), kMostBytes));
  }
  return script;
}

}  // namespace spotrun
