// A value of a file with exported records. The value knows its file and its place in the file, so
// that an error can name file, field, found value and expectation.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/events/event.h"

namespace sim::cli {

// A file of records that cannot be read; what() is the message.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Record {
 public:
  // `json` and `file` must outlive the record.
  Record(const Json& json, const std::filesystem::path& file, std::string place = "");

  const Json& json() const { return *json_; }
  // Throws RecordError "FILE: PLACE: found …, expected …".
  [[noreturn]] void fail(const std::string& expected) const;

  // ---- Members of an object. A member that is null does not exist.
  bool has(const char* name) const { return find(name).has_value(); }
  std::optional<Record> find(const char* name) const;
  // As find(), and refuses a record without the member.
  Record at(const char* name, const std::string& expected) const;
  // The items of the member, or of the array in its member `items`, as CloudTrail writes lists.
  // None if the member does not exist.
  std::vector<Record> list(const char* name) const;
  std::optional<std::string> text(const char* name) const;
  std::string required_text(const char* name, const std::string& expected) const;
  std::optional<double> number(const char* name) const;
  // ISO 8601, or seconds or milliseconds since 1970, as aws-cli and CloudTrail write instants.
  std::optional<Time> time(const char* name) const;
  Time required_time(const char* name) const;

  // ---- The value itself.
  // The items of an array.
  std::vector<Record> items() const;

 private:
  const Json* json_;
  const std::filesystem::path* file_;
  std::string place_;
};

}  // namespace sim::cli
