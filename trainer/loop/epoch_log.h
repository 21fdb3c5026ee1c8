// The log of a training: one row an epoch, as CSV or as lines of JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace spottrain {

struct EpochRow {
  std::int64_t epoch = 0;  // 1 is the first
  std::int64_t step = 0;   // the epoch's last
  double train_loss = 0, train_accuracy = 0;
  std::optional<double> validation_accuracy, test_accuracy;  // empty where there are no images
  double learning_rate = 0;                                  // of the epoch's last step
};

enum class LogFormat { csv, json_lines };

class EpochLog {
 public:
  // Keeps the rows of the first `epochs` epochs of an earlier run and cuts off what follows: rows
  // of epochs that will be trained again, and a row that was cut off itself. Throws
  // std::system_error, and std::invalid_argument for a file that is something else.
  EpochLog(std::filesystem::path file, LogFormat format, std::int64_t epochs);

  // On disk when it returns. Throws std::system_error when it cannot be; then nothing of it is in
  // the file.
  void append(const EpochRow& row);

 private:
  std::filesystem::path file_;
  LogFormat format_;
};

}  // namespace spottrain
