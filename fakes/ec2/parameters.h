// The parameters of an EC2 Query request. Lists and structures come flattened ("Filter.1.Value.2");
// a view of one structure is a Parameters with a prefix. What no getter asked for is an error in
// the end, so that nothing is silently ignored.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/http/form.h"
#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace fakes::ec2 {

class Parameters {
 public:
  // A whole request's, which must live as long; Action and Version are taken as read.
  explicit Parameters(const Form& form);

  // ---- one value; empty when it is not given. Throws InvalidParameterValue when it is not of the
  // type.
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<sim::Time> time(std::string_view name) const;          // ISO 8601
  std::optional<sim::market::Usd> price(std::string_view name) const;  // an hour, > 0
  // The same, at least `low` and at most `high`.
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t low,
                                      std::int64_t high) const;

  // One of `supported`, the first when it is not given; InvalidParameterValue names them.
  std::string choice(std::string_view name,
                     std::initializer_list<std::string_view> supported) const;

  // ---- one value that must be there: MissingParameter otherwise, also when it is empty.
  std::string required(std::string_view name) const;
  std::int64_t required_integer(std::string_view name, std::int64_t low, std::int64_t high) const;

  // ---- lists and structures, in the order of their indexes: NAME.1, NAME.2 …
  std::vector<std::string> list(std::string_view name) const;
  std::vector<std::string> required_list(std::string_view name) const;
  std::vector<Parameters> structures(std::string_view name) const;
  Parameters structure(std::string_view name) const;
  // True when NAME or anything below it is given.
  bool has(std::string_view name) const;

  // NAME and all below it is accepted without effect, as nothing in this cloud depends on it.
  void accept(std::string_view name) const;
  // NAME and all below it is something that this cloud does not do: throws UnsupportedOperation if
  // given.
  void refuse(std::string_view name) const;
  // Throws UnknownParameter for the first parameter that nobody asked for.
  void check_all_used() const;

  // The name as the client wrote it, for error messages: "Filter.1.Name".
  std::string full_name(std::string_view name) const;

 private:
  struct Source {
    explicit Source(const Form& of) : form(of), used(of.size()) {}
    const Form& form;
    std::vector<bool> used;  // by place in the form
  };
  Parameters(std::shared_ptr<Source> source, std::string prefix)
      : source_(std::move(source)), prefix_(std::move(prefix)) {}
  std::vector<std::uint64_t> indexes(const std::string& full) const;
  void use(Form::const_iterator parameter) const {
    source_->used[source_->form.index_of(parameter)] = true;
  }

  std::shared_ptr<Source> source_;
  std::string prefix_;  // "" or "Filter.1."
};

}  // namespace fakes::ec2
