// The CSV log: one row an epoch.
#pragma once

#include <cstdint>
#include <filesystem>

namespace spottrain {

struct EpochRow {
  std::int64_t epoch = 0;  // 1 is the first
  std::int64_t step = 0;   // the epoch's last
  double train_loss = 0, train_accuracy = 0, test_accuracy = 0, learning_rate = 0;
};

class EpochLog {
 public:
  // Keeps the rows of the first `epochs` epochs of an earlier run and cuts off what follows: rows
  // of epochs that will be trained again, and a row that was cut off itself. Throws
  // std::system_error.
  EpochLog(std::filesystem::path file, std::int64_t epochs);

  // On disk when it returns. Throws std::system_error; the row may then be there in part, which the
  // next start cuts off.
  void append(const EpochRow& row);

 private:
  std::filesystem::path file_;
};

}  // namespace spottrain
