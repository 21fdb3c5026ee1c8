#include "sim/serve/serve.h"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process/descriptor_limit.h"
#include "sim/serve/listen.h"
#include "sim/serve/local_ca.h"
#include "sim/serve/metadata_address.h"
#include "sim/serve/stop_signal.h"
#include "sim/serve/wall_clock.h"

namespace sim::serve {
namespace {

constexpr RealTime kLongestWait = 1s;  // interval of checks for slow clients
constexpr RealTime kLastAnswers = 3s;
constexpr RealTime kBetweenParts = 200ms;  // between two parts of a page's stream
constexpr RealTime kLateAnswers = 50ms;    // interval of checks for answers that are due
constexpr std::string_view kThisMachine = "127.0.0.1";

class Loop {
 public:
  Loop(Testbed& testbed, const ServeOptions& options)
      : testbed_(testbed),
        options_(options),
        signals_(stop_signals()),
        server_([this](Duration delay, std::function<void()> write) {
          answers_.push_back({testbed_.due(delay), std::move(write)});
        }) {
    base::raise_descriptor_limit();  // one descriptor per connection
    ListeningSocket socket = listen_on(options.address, options.port), tls;
    server_.drop_slow(real_now(), options_.patience);
    const auto handler = [this](const fakes::Request& request) {
      return testbed_.answer(request, real_now());
    };
    if (!testbed.keeps_requests())
      server_.take_long_uploads(fakes::long_uploads(cloud::kNoLatencies));
    server_.listen(socket.descriptor.release(), handler);
    if (options.address == kThisMachine)
      metadata_.emplace(server_, handler, socket.port, options.warn);
    if (options.tls_port) {
      tls = listen_on(options.address, *options.tls_port);
      server_.listen_tls(tls.descriptor.release(), handler,
                         signed_by_local_ca(options.tls_folder,
                                            {.address = options.address,
                                             .region = testbed.served().scenario().cloud.region,
                                             .hosts = options.hosts},
                                            options.warn));
    }
    server_.watch(signals_.get(), [this] {
      take_signal(signals_.get());
      stopped_ = true;
    });
    if (options.sender != nullptr)
      server_.watch(options.sender->descriptor(), [this] { options_.sender->take_answers(); });
    if (options.ready) options.ready(socket.port, tls.port);
  }

  void run() {
    while (!stopped_) turn(kLongestWait);
    server_.finish();
    const RealTime end = real_now() + kLastAnswers;
    while (server_.connections() > 0 && real_now() < end) turn(50ms);
    testbed_.close(real_now());
  }

 private:
  void turn(RealTime longest) {
    look_for_slow_clients();
    testbed_.keep_up(real_now());
    const bool busy = server_.poll();
    send_answers();
    feed_pages();
    if (busy) return;
    if (testbed_.served().live()) longest = std::min(longest, kBetweenParts);
    if (!answers_.empty()) longest = std::min(longest, kLateAnswers);
    const RealTime idle = testbed_.idle_for(real_now()).value_or(longest);
    server_.wait(std::clamp(idle, RealTime{}, longest));
    send_answers();
  }

  // Sends an answer when its effect is stored and its virtual time has come.
  void send_answers() {
    testbed_.keep();
    if (metadata_) metadata_->follow(testbed_.served(), testbed_.worlds());
    if (answers_.empty()) return;
    std::vector<Answer> late;
    for (Answer& answer : std::exchange(answers_, {}))
      answer.due > testbed_.served().now() ? late.push_back(std::move(answer)) : answer.write();
    answers_.insert(answers_.end(), late.begin(), late.end());
  }

  void feed_pages() {
    const RealTime now = real_now();
    if (now - fed_ < kBetweenParts) return;
    fed_ = now;
    server_.feed();
  }

  void look_for_slow_clients() {
    const RealTime now = real_now();
    if (now - looked_ < kLongestWait) return;
    looked_ = now;
    server_.drop_slow(now, options_.patience);
  }

  Testbed& testbed_;
  const ServeOptions& options_;
  base::FileDescriptor signals_;
  struct Answer {
    Time due;
    std::function<void()> write;
  };
  std::vector<Answer> answers_;
  fakes::Server server_;
  // A service that listens on all addresses also receives requests to the instances' addresses.
  std::optional<MetadataSockets> metadata_;
  RealTime looked_{}, fed_{};
  bool stopped_ = false;
};

}  // namespace

void serve(Testbed& testbed, const ServeOptions& options) { Loop(testbed, options).run(); }

}  // namespace sim::serve
