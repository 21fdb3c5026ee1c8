#include "sim/result/evidence.h"

#include <nlohmann/json.hpp>

#include "base/json/json_text.h"

namespace sim::result {
Json to_json(const Evidence& e) {
  return {{"kept", e.kept ? Json(*e.kept) : Json(nullptr)},
          {"step", e.step ? Json(*e.step) : Json(nullptr)},
          {"path", e.path.empty() ? Json(nullptr) : Json(e.path)},
          {"on", e.on},
          {"why", e.why.empty() ? Json(nullptr) : Json(e.why)}};
}

Evidence evidence_from(const Json& json) {
  Evidence e{.path = base::text_of(json, "path"), .why = base::text_of(json, "why")};
  if (const auto kept = json.find("kept"); kept != json.end() && kept->is_boolean())
    e.kept = kept->get<bool>();
  if (const auto step = json.find("step"); step != json.end() && step->is_number_integer())
    e.step = step->get<std::int64_t>();
  if (const auto on = json.find("on"); on != json.end() && on->is_array())
    for (const Json& item : *on)
      if (item.is_string()) e.on.push_back(item.get<std::string>());
  return e;
}

}  // namespace sim::result
