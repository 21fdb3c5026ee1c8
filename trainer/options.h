// The options of spottrain's larger commands.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trainer/bench.h"
#include "trainer/loop/train.h"

namespace spottrain {

void add_train_options(CLI::App& command, TrainRequest& request);
// The folder in "train … --sagemaker[=ROOT]". Empty for other arguments.
std::optional<std::string> sagemaker_root(const std::vector<std::string>& arguments);
// The arguments after the program's name. If --sagemaker is among them, the options of a SageMaker
// job's container follow "train". Throws std::invalid_argument.
std::vector<std::string> with_sagemaker(std::vector<std::string> arguments);

// Writes the error in the arguments to the last --failure-file=… among them, if there is one.
void tell_failure(const std::vector<std::string>& arguments, const std::string& what);

// Accepts whole numbers from `least` to `most` in digits.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

void add_bench_options(CLI::App& command, BenchRequest& request);

}  // namespace spottrain
