// The served cloud without its sockets: it routes requests, moves the time and keeps calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/serve/address.h"
#include "sim/serve/journal.h"
#include "sim/serve/pace.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

struct TestbedOptions {
  ServedCloudOptions served;
  Speed speed;
  std::filesystem::path state;             // the journal; empty: nothing is kept
  std::string set;                         // the command line's --set, as it counts for the state
  std::vector<std::string> allowed_hosts;  // besides the usual ones (web_guard.h)
};

class Testbed {
 public:
  // In the instant profile the first call to AWS after a start or a reset says in which region the
  // scenario's cloud is. Each other region is a cloud of its own, which is empty at first; S3 is
  // one for all.
  //
  // With a state file, all that came in before has happened again when this returns. The scenario
  // and the options must outlive it. Throws JournalError, std::system_error.
  Testbed(const run::Scenario& scenario, const TestbedOptions& options, RealTime real);

  // Answers one request, unless a web page may have sent it (web_guard.h), at that reading of the
  // real clock. Its effect is kept by keep() only.
  fakes::Reply answer(const fakes::Request& request, RealTime real);
  // What was answered survives the machine from here on, where there is a state file; what happened
  // stands in the log's file.
  void keep();
  // Virtual time comes to where the real clock wants it, by 0.1 s of work or so: where more is due
  // it stays behind, so that requests are answered in between.
  void keep_up(RealTime real);
  // The virtual time at which an answer with this delay goes out. At speed max the time advances to
  // it at once, unless the answer is lost (fakes::kNoAnswer).
  Time due(Duration delay);
  // How long nothing will happen by itself; empty: until somebody asks for something.
  std::optional<RealTime> idle_for(RealTime real);
  // The clock's state is kept; a later start goes on from there.
  void close(RealTime real);

  ServedCloud& served() { return *served_; }
  std::uint64_t replayed() const { return replayed_; }
  std::uint64_t answered() const { return answered_; }
  // How many clouds there were: a reset makes a new one.
  std::uint64_t worlds() const { return worlds_; }
  // Whether requests are kept, for a later start; then those of more than 1 MiB are refused.
  bool keeps_requests() const { return journal_ != nullptr; }

 private:
  void begin(const std::string& region);
  void go_where_asked(const fakes::Request& request);
  fakes::Reply happen(const fakes::Request& request);
  ServedCloud& cloud_for(const fakes::Request& request);
  fakes::Reply stream(const fakes::Request& request);
  fakes::Response metadata(const Address& address, const fakes::Request& request);
  void go_to_moment(Addressee to, RealTime real);
  void replay();

  const run::Scenario& scenario_;
  const TestbedOptions& options_;
  std::optional<run::Scenario> instant_;  // the scenario as it is served in that profile
  std::unique_ptr<ServedCloud> served_;
  struct OtherRegion {
    run::Scenario scenario;
    std::unique_ptr<ServedCloud> served = {};
  };
  std::map<std::string, OtherRegion> others_;  // of the instant profile, by region
  ServedCloudOptions others_options_;          // they leave no log
  std::unique_ptr<Journal> journal_;
  Pace pace_;
  std::string process_;  // names this process in IDs of the stream
  bool reset_ = false;   // by the request just answered
  bool asked_ = false;   // something has been asked of the cloud, but for looks
  std::uint64_t replayed_ = 0, answered_ = 0, worlds_ = 0;
};

}  // namespace sim::serve
