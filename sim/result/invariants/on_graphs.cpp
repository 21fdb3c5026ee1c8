#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/states.h"
#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

class OnGraphs : public Invariant {
 public:
  OnGraphs() : Invariant("on-graphs", "every resource keeps to its graph of states") {}

  std::vector<std::string_view> hears() const override {
    return {"instance.state", "volume.state",       "attachment.state",
            "snapshot.state", "spot-request.state", "fleet.state"};
  }

  void hear(const Line& line) override {
    const std::string_view resource = line.kind().substr(0, line.kind().find('.'));
    const std::string_view from = line.text("from"), to = line.text("to");
    if (cloud::allowed(resource, from, to)) return;
    broken(line.at(),
           fmt::format("{} {}: \"{}\" to \"{}\"", resource, line.text(id_of(resource)), from, to),
           {line.written()});
  }

 private:
  // The field with the resource's ID: "spot-request" → "spot_request_id"
  static std::string id_of(std::string_view resource) {
    std::string name(resource == "attachment" ? "volume" : resource);
    std::ranges::replace(name, '-', '_');
    return name + "_id";
  }
};

}  // namespace

std::unique_ptr<Invariant> on_graphs(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<OnGraphs>();
}

}  // namespace sim::run
