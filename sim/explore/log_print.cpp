#include "sim/explore/log_print.h"

#include <xxhash.h>

#include <concepts>

#include "sim/result/event_fields.h"

namespace sim::explore {
namespace {

bool of_a_fault(std::string_view kind) { return kind.starts_with("fault."); }

void append(std::string& bytes, const auto& value) {
  if constexpr (std::convertible_to<decltype(value), std::string_view>)
    bytes += std::string_view(value);
  else
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  bytes += '\0';
}

}  // namespace

void LogPrint::add(std::string_view bytes) {
  print_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), print_);
}

template <class Line>
void LogPrint::note_instance(const Line& line) {
  if (line.kind == "instance.state" && run::text(line, "from").empty())
    newest_instance_ = run::text(line, "instance_id");
}

void LogPrint::hear(const Event& line) {
  if (of_a_fault(line.kind)) return;
  note_instance(line);
  add(to_line(line));
}

void LogPrint::hear(const PlainEvent& line) {
  if (of_a_fault(line.kind)) return;
  note_instance(line);
  bytes_.clear();
  append(bytes_, line.time.time_since_epoch().count());
  append(bytes_, line.kind);
  for (const auto& [name, value] : line.fields) {
    append(bytes_, name);
    std::visit([this](const auto& typed) { append(bytes_, typed); }, value);
  }
  if (line.more)
    append(bytes_, (*line.more)().dump(-1, ' ', false, Json::error_handler_t::replace));
  add(bytes_);
}

}  // namespace sim::explore
