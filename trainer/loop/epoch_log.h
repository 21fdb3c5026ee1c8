// The log of a training: one row per epoch, as CSV or as JSON Lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace spottrain {

struct EpochRow {
  std::int64_t epoch = 0;  // 1 is the first
  std::int64_t step = 0;   // the epoch's last step
  double train_loss = 0, train_accuracy = 0;
  std::optional<double> validation_accuracy, test_accuracy;  // empty without such images
  double learning_rate = 0;                                  // in the epoch's last step
};

enum class LogFormat { csv, json_lines };

class EpochLog {
 public:
  // Keeps the rows of the first `epochs` epochs of an earlier run. Removes the other rows: epochs
  // that will be trained again, and an incomplete row. Throws std::system_error, and
  // std::invalid_argument for another kind of file.
  EpochLog(std::filesystem::path file, LogFormat format, std::int64_t epochs);

  // Writes a row, which is on disk when this returns. Throws std::system_error if it cannot be
  // written; then the file has no part of it.
  void append(const EpochRow& row);

 private:
  std::filesystem::path file_;
  LogFormat format_;
};

}  // namespace spottrain
