// Tests only: `spotsim trace …` with a folder to write into, and the traces in scenarios/traces.
#pragma once

#include <filesystem>
#include <string>

#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"
#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"

namespace sim::cli {

inline const fs::path kTraces = fs::path(SPOTSIM_SOURCE_DIR) / "scenarios" / "traces";

class TraceCommand : public OnTheCommandLine {
 protected:
  TraceCommand() : OnTheCommandLine({add_trace_command}) {}

  bool nothing_written() const { return fs::is_empty(folder_); }
  std::string out() const { return " --out " + (folder_ / "out.json").string(); }
  market::PriceHistory written() const { return traces::read_price_history(folder_ / "out.json"); }
};

// Ten weeks of two pools in a folder, as `synth` writes them.
inline constexpr const char* kTwoPools =
    "trace synth --pool p3.2xlarge/us-west-2a=5h:2h --pool p3.2xlarge/us-west-2b=9h:1h "
    "--down-shape 0.8 --from 2022-10-01 --to 2022-12-10 --seed 2 --out ";

}  // namespace sim::cli
