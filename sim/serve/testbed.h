// The served cloud without sockets: it routes requests, moves virtual time and stores calls.
// serve() connects it to ports and a real clock; tests call it directly.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/foreign_call.h"
#include "sim/serve/address.h"
#include "sim/serve/journal.h"
#include "sim/serve/pace.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

struct TestbedOptions {
  ServedCloudOptions served;
  Speed speed;
  std::filesystem::path state;             // file of the journal; empty: nothing is stored
  std::string set;                         // --set of the command line, as part of the world's name
  std::vector<std::string> allowed_hosts;  // in addition to the usual ones (web_guard.h)
  // Gets the calls of services that spotsim does not have; empty: they are refused. Cannot be used
  // with a state file, because a replay cannot repeat what the other endpoint answered.
  std::string fallback = {};
  // True if the scenario starts at the present date: after a reset it starts at the date of then.
  // Otherwise clients would get credentials that have expired.
  bool by_date = false;
};

// Owns the served clouds, their pace and the journal. Each request goes through answer(), then
// keep(). Calls in the same order at the same readings of the clock give the same world.
class Testbed {
 public:
  // In the instant profile, the first call to AWS after a start or a reset decides the region of
  // the scenario's cloud. Each other region is a separate, initially empty cloud. All regions share
  // one S3.
  //
  // With a state file, all stored calls have been replayed when this returns. The options must
  // outlive this object. Throws JournalError, std::system_error.
  Testbed(const scenario::Scenario& scenario, const TestbedOptions& options, RealTime real);

  // Answers one request at that reading of the real clock, unless a web page may have sent it
  // (web_guard.h). Call keep() before the answer is sent.
  fakes::Reply answer(const fakes::Request& request, RealTime real);
  // Stores the answered requests, so that they survive a crash of the machine (with a state file),
  // and writes the log's lines to its file.
  void keep();
  // Advances virtual time to the real clock, by at most 0.1 s of work. If more is due, virtual time
  // lags, so that requests are answered in between.
  void keep_up(RealTime real);
  // The virtual time at which an answer with this delay is sent. At speed max, time advances to it
  // at once, unless the answer is lost (fakes::kNoAnswer).
  Time due(Duration delay);
  // The time until the next event happens by itself. Empty if nothing happens before the next
  // request.
  std::optional<RealTime> idle_for(RealTime real);
  // Stores the clock's state, from which a later start continues.
  void close(RealTime real);

  ServedCloud& served() { return *served_; }
  std::uint64_t replayed() const { return replayed_; }
  std::uint64_t answered() const { return answered_; }
  // The number of clouds so far: a reset makes a new one.
  std::uint64_t worlds() const { return worlds_; }
  // True if requests are stored for a later start. Requests of more than 1 MiB are then refused.
  bool keeps_requests() const { return journal_ != nullptr; }

 private:
  void begin(const std::string& region);
  void begin_again(RealTime real);
  void go_where_asked(const fakes::Request& request);
  fakes::Reply wait_for(fakes::Reply pending);
  fakes::Reply happen(const fakes::Request& request, const Address& address);
  fakes::Response pass_on(const fakes::ForeignCall& call, const fakes::Request& request);
  ServedCloud& cloud_for(const fakes::Request& request);
  // The cloud of another region, at the present time. Makes it at its first use.
  ServedCloud& other_region(const std::string& region);
  void let_reach_others(ServedCloud& served);  // in the instant profile
  fakes::Reply stream(const fakes::Request& request);
  fakes::Response metadata(const Address& address, const fakes::Request& request);
  void go_to_moment(Addressee to, RealTime real);
  void replay();

  scenario::Scenario scenario_;
  const TestbedOptions& options_;
  std::optional<scenario::Scenario> instant_;  // the scenario in that profile
  std::unique_ptr<ServedCloud> served_;
  struct OtherRegion {
    scenario::Scenario scenario;
    std::unique_ptr<ServedCloud> served = {};
  };
  std::map<std::string, OtherRegion> others_;  // for the instant profile, by region
  ServedCloudOptions others_options_;          // other regions write no log
  std::unique_ptr<Journal> journal_;
  Pace pace_;
  RealTime began_;       // when the scenario starts, if it starts by date
  std::string process_;  // names this process in IDs of the stream
  bool reset_ = false;   // by the request just answered
  bool asked_ = false;   // a request has reached the cloud; looks do not count
  std::uint64_t replayed_ = 0, answered_ = 0, worlds_ = 0;
};

}  // namespace sim::serve
