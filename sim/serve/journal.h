// Stores requests over restarts: an SQLite file of calls, each with the virtual time of its answer.
// The world is deterministic, so replaying the calls restores it. Testbed writes the journal, and
// replays it when it starts.
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

// The message has the form "FILE: found …, expected …".
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A stored call, with the virtual time and the fingerprint of the log by which a replay is checked.
struct JournalEntry {
  Time at;
  // The call. Without a method: the service was stopped at this time.
  fakes::Request request;
  std::string fingerprint;  // of the event log after the call
};

// Owns the SQLite file. Entries that were added become durable with sync().
class Journal {
 public:
  // Opens or creates the file for one process only. `world` names the world of the calls; a file of
  // another world is refused. All functions throw JournalError.
  Journal(const std::filesystem::path& file, const std::string& world);
  ~Journal();

  // Calls `visit` with all entries, in order.
  void each(const std::function<void(const JournalEntry&)>& hear);
  void add(const JournalEntry& entry);
  // When this returns, all added entries survive a crash of the machine.
  void sync();
  // Deletes all entries, including unsynced ones. The deletion survives a crash of the machine.
  void clear();
  const std::filesystem::path& file() const { return file_; }

 private:
  [[noreturn]] void fail(const std::exception& error) const;

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> db_;
  std::unique_ptr<SQLite::Statement> insert_;
  bool open_ = false;  // a transaction is open
};

}  // namespace sim::serve
