#include "trainer/loop/train.h"

#include <exception>
#include <stdexcept>
#include <utility>

#include "trainer/checkpoint/damage.h"
#include "trainer/loop/complain.h"
#include "trainer/loop/gang_run.h"
#include "trainer/loop/run.h"
#include "trainer/spot/sagemaker.h"

namespace spottrain {
namespace {

void check(const TrainRequest& request) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(!request.checkpoints.empty(), "no place for checkpoints: --checkpoints");
  require(request.keep >= 2, "--keep: expected at least 2, so that one damaged file loses nothing");
  require(request.keep_best >= 0 && request.keep_best <= 1000, "--keep-best: expected 0 to 1000");
  require(request.threads >= 1 && request.threads <= 256, "--threads: expected 1 to 256");
  require(request.device == Device::cuda || request.settings.precision == Precision::fp32,
          "--precision: tf32 and bf16 need --device cuda, a CPU computes in fp32");
  require(request.device == Device::cpu || request.cpu == CpuEngine::automatic,
          "--engine: has no meaning for --device cuda");
  require(!request.max_steps || *request.max_steps >= 1, "--max-steps: expected at least 1");
  check(request.settings);
}

}  // namespace

DataSet read_data(const TrainRequest& request) {
  DataSet data = read_data_set(request.data, request.settings.labels);
  const std::uint32_t held_out = held_out_count(request.validation, data.train.size());
  return held_out == 0 ? data : hold_out(std::move(data), held_out, request.settings.seed);
}

ExitCode train(const TrainRequest& request, Communicator* gang) {
  const auto failed = [&](const std::exception& error, ExitCode code) {
    complain("{}", error.what());
    if (!request.failure_file.empty() && !write_failure(request.failure_file, error.what())) {
      complain("{} cannot be written", request.failure_file);
    }
    if (gang != nullptr) gang->abort(static_cast<int>(code));
    return code;
  };
  try {
    check(request);
    if (gang != nullptr && gang->rank() != 0) return follow(request, *gang);
    return run_training(request, gang);
  } catch (const std::invalid_argument& error) {
    return failed(error, ExitCode::bad_input);
  } catch (const DataError& error) {
    return failed(error, ExitCode::bad_input);
  } catch (const UnknownFormatVersion& error) {
    return failed(error, ExitCode::bad_input);
  } catch (const Diverged& error) {
    return failed(error, ExitCode::diverged);
  } catch (const std::runtime_error& error) {  // of files, a policy's program, a GPU, another rank
    return failed(error, ExitCode::failed);
  }
}

}  // namespace spottrain
