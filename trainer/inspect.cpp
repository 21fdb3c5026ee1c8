#include "trainer/inspect.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/durable_file.h"

namespace spottrain {
namespace {

// Empty, with the reason on stderr, when the file is no whole checkpoint.
std::optional<Checkpoint> read_checkpoint(const std::string& file) {
  try {
    return decode(read_whole_file(file));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), error.what());
    return {};
  }
}

std::string description(const Checkpoint& checkpoint) {
  const Configuration& c = checkpoint.configuration;
  std::string text;
  const auto line = [&text](std::string_view what, const std::string& value) {
    text += fmt::format("{:<16} {}\n", what, value);
  };
  line("step",
       fmt::format("{} (epoch {}, {} steps each)", checkpoint.step,
                   checkpoint.step / checkpoint.steps_per_epoch, checkpoint.steps_per_epoch));
  line("model", c.model);
  line("seed", std::to_string(c.seed));
  line("batch size", std::to_string(c.batch_size));
  line("learning rate", fmt::format("{} ({})", c.learning_rate, c.schedule));
  line("momentum", fmt::format("{}", c.momentum));
  line("weight decay", fmt::format("{}", c.weight_decay));
  line("data set", c.data_fingerprint);
  line("numeric class", checkpoint.numeric_class);
  for (const Tensor& tensor : checkpoint.tensors) {
    line("tensor", fmt::format("{} [{}]", tensor.name, fmt::join(tensor.shape, " × ")));
  }
  return text;
}

}  // namespace

int verify_checkpoint(const std::string& file) { return read_checkpoint(file) ? 0 : 1; }

int inspect_checkpoint(const std::string& file) {
  const auto checkpoint = read_checkpoint(file);
  if (!checkpoint) return 1;
  const std::string text = description(*checkpoint);
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

}  // namespace spottrain
