#include "sim/explore/log_print.h"

#include <xxhash.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

namespace sim::explore {
namespace {

bool of_a_fault(events::Kind kind) {
  using enum events::Kind;
  return kind == kFaultStrike || kind == kFaultDamage || kind == kFaultSilence ||
         kind == kFaultMade;
}

class ByteSink : public events::FieldSink {
 public:
  explicit ByteSink(std::string& bytes) : bytes_(bytes) {}

  void take(std::string_view name, const events::Value& value) override {
    add(name);
    std::visit([this](const auto& typed) { add(typed); }, value);
  }
  void add(std::string_view text) { (bytes_ += text) += '\0'; }
  void add(std::nullptr_t) { bytes_ += '\0'; }
  void add(const events::JsonField& json) {
    add(std::string_view(json.get().dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }

 private:
  std::string& bytes_;
};

}  // namespace

void LogPrint::listen(events::Listeners& log) {
  log.on_all([this](const events::AnyEvent& line, std::string_view) { hear(line); });
  log.on<events::InstanceState>([this](const events::InstanceState& event) {
    if (event.is_new()) newest_instance_ = event.instance_id;
  });
}

void LogPrint::hear(const events::AnyEvent& line) {
  if (of_a_fault(line.kind())) return;
  bytes_.clear();
  ByteSink sink(bytes_);
  sink.add(line.time().time_since_epoch().count());
  sink.add(line.name());
  line.each_field(sink);
  print_ = XXH3_64bits_withSeed(bytes_.data(), bytes_.size(), print_);
}

}  // namespace sim::explore
