// What came in, kept over restarts: an SQLite file of calls and the virtual times at which they
// were answered. The world is deterministic, so that the same calls make the same world again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "fakes/http/http.h"
#include "sim/kernel/time.h"

namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace sim::serve {

// "FILE: found …, expected …".
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct JournalEntry {
  Time at;
  // Empty (no method): the clock stood there when the service was told to end.
  fakes::Request request;
  std::string fingerprint;  // of the event log after it
};

class Journal {
 public:
  // Opens or creates the file for one process alone. `world` names the world of the calls; a file
  // of another world is refused. All functions throw JournalError.
  Journal(const std::filesystem::path& file, const std::string& world);
  ~Journal();

  // All entries, in order.
  void each(const std::function<void(const JournalEntry&)>& hear);
  void add(const JournalEntry& entry);
  // When this returns, what was added survives the machine.
  void sync();
  // Forgets all entries, also those not synced; survives the machine.
  void clear();
  const std::filesystem::path& file() const { return file_; }

 private:
  [[noreturn]] void fail(const std::exception& error) const;

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> db_;
  std::unique_ptr<SQLite::Statement> insert_;
  bool open_ = false;  // a transaction
};

}  // namespace sim::serve
