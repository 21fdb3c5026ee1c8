// The options of spottrain's larger commands.
#pragma once

#include <CLI/CLI.hpp>

#include "trainer/bench.h"
#include "trainer/loop/train.h"

namespace spottrain {

void add_train_options(CLI::App& command, TrainRequest& request);
void add_bench_options(CLI::App& command, BenchRequest& request);

}  // namespace spottrain
