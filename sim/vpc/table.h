// A table of resources by ID, and the generator of new IDs.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/api_error.h"
#include "sim/kernel/random.h"

namespace sim::vpc {

using base::ApiError;

// New IDs: one random stream per kind, so that a new subnet changes no group's ID.
class Ids {
 public:
  explicit Ids(const Streams& streams) : streams_(streams) {}
  std::string next(const std::string& prefix) {
    const auto [kind, is_new] = kinds_.try_emplace(prefix, streams_.stream("id", prefix));
    return fmt::format("{}-0{:016x}", prefix, kind->second.next());
  }
  // The ID of a resource that every account has: a function of the seed and the name.
  std::string of(const std::string& prefix, std::string_view name) const {
    return fmt::format("{}-0{:016x}", prefix, streams_.stream(prefix, name).next());
  }

 private:
  Streams streams_;
  std::map<std::string, Stream> kinds_;
};

template <class T>
class Table {
 public:
  // The error for an unknown ID: "The subnet ID 'subnet-1' does not exist".
  Table(const char* code, const char* what) : code_(code), what_(what) {}

  const std::map<std::string, T>& all() const { return rows_; }
  bool has(const std::string& id) const { return rows_.contains(id); }
  T& find(const std::string& id) { return const_cast<T&>(std::as_const(*this).find(id)); }
  const T& find(const std::string& id) const {
    const auto found = rows_.find(id);
    if (found == rows_.end())
      throw ApiError(code_, fmt::format("The {} '{}' does not exist", what_, id));
    return found->second;
  }
  T& add(T row) {
    const std::string id = row.id;
    return rows_.emplace(id, std::move(row)).first->second;
  }
  void erase(std::string id) { rows_.erase(id); }
  template <class Condition>
  const T* first(Condition condition) const {
    for (const auto& [id, row] : rows_)
      if (condition(row)) return &row;
    return nullptr;
  }
  template <class Condition>
  T* first(Condition condition) {
    return const_cast<T*>(std::as_const(*this).first(condition));
  }

 private:
  const char* code_;
  const char* what_;
  std::map<std::string, T> rows_;
};

}  // namespace sim::vpc
