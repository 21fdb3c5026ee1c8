// Faults that last: troubles between clients and AWS's services, and slower state transitions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fakes/interference.h"
#include "sim/cloud/cloud.h"
#include "sim/faults/plan.h"
#include "sim/kernel/simulation.h"
#include "sim/market/pool.h"

namespace sim::faults {

// A fault that lasts for a number of calls and until a time. It ends at the first of the two.
struct Lasting {
  std::optional<std::int64_t> times;
  std::optional<Time> until;
  std::int64_t fault = 0;  // index in the plan of the fault that began it
};

struct ApiTrouble {
  std::string action;   // empty: all
  std::string machine;  // as in the log; empty: all
  fakes::Interference::Trouble trouble;
  Lasting lasting;
  std::function<bool(const fakes::Interference::Call&)> applies = {};  // empty: always
};

struct MetadataTrouble {
  std::string machine;
  std::string path;  // text in the path; empty: all
  fakes::Interference::MetadataTrouble trouble;
  Lasting lasting;
};

struct SlowTransition {
  std::string transition;  // as Cloud draws it: "volume-attaching"
  Duration takes{};
  Lasting lasting;
};

// Describe calls show the cloud as it was at the strike.
struct StaleView {
  std::string machine;  // calling machine; empty: all
  std::shared_ptr<const cloud::Cloud::Records> past;
  Lasting lasting;
};

// The part of a subnet's network traffic that is lost.
enum class LostTraffic { kAll, kOtherZones, kInternet };

struct CutSubnet {
  std::string subnet;  // its ID
  LostTraffic lost = LostTraffic::kAll;
  Lasting lasting;
};

// The rise of a pool's price by one fault.
struct PriceRise {
  std::int64_t number = 0;
  double factor = 1;
  Time until;
};

// The lasting troubles that are active now. The engine of faults adds a trouble when its fault
// strikes. The fakes and the cloud ask this class at each call, metadata request and transition. It
// also counts which faults had an effect.
class OngoingFaults {
 public:
  explicit OngoingFaults(Simulation& simulation) : simulation_(simulation) {}

  void begin(ApiTrouble trouble) { add(api_, std::move(trouble)); }
  void begin(MetadataTrouble trouble) { add(metadata_, std::move(trouble)); }
  void begin(StaleView view) { add(stale_, std::move(view)); }
  void begin(SlowTransition slow) { add(slow_, std::move(slow)); }
  void begin(CutSubnet cut) { add(cut_, std::move(cut)); }
  // Troubles that begin from now on belong to the fault with this index in the plan.
  void begin_for(std::int64_t fault) { fault_ = fault; }
  // Calls this at the end of the fault that strikes now: after this time, or when it is removed.
  void end_after(Duration lasts, std::function<void()> end);
  // Calls this only if the fault that strikes now is removed before `until`.
  void undo_before(Time until, std::function<void()> undo);
  // The index in the plan of the fault that strikes now.
  std::int64_t fault() const { return fault_; }
  // EC2 has refused to undo a strike of the fault at its end.
  void cannot_undo(std::int64_t fault, std::string why) { not_undone_[fault] = std::move(why); }
  // Why EC2 has refused that. Empty: it has not.
  std::string not_undone(std::int64_t fault) const;
  // Ends all troubles of the fault with this index in the plan.
  void end(std::int64_t fault);
  // True if a trouble of the fault can still affect something.
  bool lasts(std::int64_t fault) const;
  // True if the fault began a trouble that affected no call, request or transition.
  bool unmet(std::int64_t fault) const;

  // The trouble of a call that is made now. The call counts.
  fakes::Interference::Trouble on_call(const fakes::Interference::Call& call);
  fakes::Interference::MetadataTrouble on_metadata(std::string_view machine, std::string_view path);
  // Why a packet between two instances of one VPC is lost. Empty: it arrives. Without `to` it goes
  // to the internet.
  std::string on_packet(const cloud::Instance& from, const cloud::Instance* to);
  // The duration of a transition that takes `usual` without a fault.
  Duration on_transition(std::string_view transition, Duration usual);

  // The slots that drains leave to each pool. The lowest number applies.
  std::map<market::Pool, std::multiset<int>> drains;
  // The rises of each pool's price, in the order in which they began. The last one applies.
  std::map<market::Pool, std::vector<PriceRise>> rises;
  std::int64_t price_rises = 0;  // number of rises up to now
  // Instances that faults have stopped and will start again, once for each fault.
  std::multiset<cloud::InstanceId> starts_due;

 private:
  template <class Trouble>
  void add(std::vector<Trouble>& list, Trouble trouble) {
    trouble.lasting.fault = fault_;
    met_.emplace(fault_, 0);
    list.push_back(std::move(trouble));
  }
  template <class Trouble>
  Trouble* first_of(std::vector<Trouble>& list, auto&& matches);

  struct End {
    Time until;
    std::function<void()> act;  // empty once it was called
  };
  bool is_over(const Lasting& lasting) const;
  void keep(std::shared_ptr<End> end);

  Simulation& simulation_;
  std::vector<ApiTrouble> api_;
  std::vector<MetadataTrouble> metadata_;
  std::vector<StaleView> stale_;
  std::vector<SlowTransition> slow_;
  std::vector<CutSubnet> cut_;
  std::int64_t fault_ = 0;
  std::multimap<std::int64_t, std::shared_ptr<End>> ends_;
  std::map<std::int64_t, std::string> not_undone_;
  std::map<std::int64_t, std::int64_t> met_;  // fault → how often its troubles had an effect
};

}  // namespace sim::faults
