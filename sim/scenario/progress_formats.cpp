#include "sim/scenario/progress_formats.h"

#include <optional>
#include <string>

namespace sim::scenario {

// progress_formats_test.cpp has samples of what these programs print. A bar of tqdm ends like
// "12/100 [00:05<00:40, 2.1it/s]".
std::span<const ProgressFormat> progress_formats() {
  static constexpr ProgressFormat kFormats[] = {
      // Model.fit with verbose=1 and 2, of Keras 2 ("[====>...]") and 3 ("━━━━"); ModelCheckpoint
      // with verbose=1.
      {.name = "keras",
       .start = "",
       .epoch = R"(^Epoch (\d+)/(\d+))",
       .step = R"(^ *(\d+)/(\d+) (?:\[|━|- ))",
       .checkpoint = R"(saving model to (\S+))",
       .finished = ""},
      // Trainer.fit with TQDMProgressBar. The bar has the epoch, from 0, and no number of epochs.
      {.name = "lightning",
       .start = "",
       .epoch = R"(^Epoch (\d+): +\d+%)",
       .step = R"(^Epoch \d+: +\d+%.* (?<number>\d+)/(?<total>\d+) \[(?:\d+:)+\d\d<)",
       .checkpoint = R"(saving model to ['"]([^'"]+)['"])",
       .finished = R"(Trainer\.fit` stopped: `max_(?:epochs|steps)=\d+` reached)",
       .first = 0,
       .bar = true},
      // One bar over all steps. The first line shows the step at which the bar begins ("initial").
      // With `unit_scale` step 5 of 900 is "5.00/900".
      {.name = "tqdm",
       .start = R"((?:^| )(?<step>\d+)(?:\.0+)?/(?<total>\d+) \[00:00<\?)",
       .epoch = "",
       .step = R"((?:^| )(?<number>\d+)(?:\.0+)?/(?<total>\d+) \[(?:\d+:)+\d\d<)",
       .checkpoint = "",
       .finished = "",
       .bar = true},
      // transformers.Trainer draws a bar without a description over all optimization steps. After a
      // resume it is drawn at 0 and then jumps. Bars of data sets have descriptions.
      {.name = "huggingface",
       .start = R"(Continuing training from global step (\d+))",
       .epoch = "",
       .step = R"(^ *\d+%\|.*\| (?<number>\d+)/(?<total>\d+) \[(?:\d+:)+\d\d<)",
       .checkpoint = R"(Saving model checkpoint to (?<path>\S*checkpoint-(?<step>\d+)))",
       .finished = R"('train_runtime':)",
       .bar = true},
      // `caffe train`, by glog. "Iteration 100" comes when 100 are done.
      {.name = "caffe",
       .start =
           R"(Starting Optimization|(?:Resuming|previous solver status) from \S*_iter_(\d+)\.)",
       .epoch = "",
       .step = R"(\] Iteration (\d+)\b)",
       .checkpoint = R"(Snapshotting solver state to (?:binary proto file ?|HDF5 file ?)?)"
                     R"((?<path>\S+_iter_(?<step>\d+)\.solverstate\S*))",
       .finished = "Optimization Done"},
  };
  return kFormats;
}

guest::ProgressRule rule_of(const ProgressFormat& format) {
  const auto pattern = [](std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(guest::LinePattern(std::string(text)));
  };
  return {.epoch = pattern(format.epoch),
          .step = pattern(format.step),
          .first = format.first,
          .start = pattern(format.start),
          .bar = format.bar,
          .checkpoint = pattern(format.checkpoint),
          .state = {},
          .finished = pattern(format.finished),
          .checkpoint_files = {}};
}

}  // namespace sim::scenario
