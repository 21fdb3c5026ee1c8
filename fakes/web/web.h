// The internet except AWS, as far as a scenario defines it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fakes/http/http.h"
#include "fakes/web/url.h"
#include "sim/events/event_log.h"
#include "sim/kernel/simulation.h"

namespace fakes {

// Serves the contents that a scenario maps to URLs. Guests reach it through web_and_aws().
class Web {
 public:
  // All contents have the modification time `since`.
  Web(WebContents contents, sim::Time since);

  std::set<std::string, std::less<>> hosts() const;

  // The answer to a GET or HEAD, with byte ranges, entity tags (of the content) and times of
  // modification (RFC 9110). Empty if nothing is mapped to the URL. If a content is mapped only by
  // https, requests by http are redirected, as such hosts do.
  std::optional<Reply> answer(const Url& url, const Request& request) const;

 private:
  struct Found {
    const WebContent* content = nullptr;
    std::string below;  // the rest of the URL below a folder: percent-decoded, relative
  };
  std::optional<Found> find(const Url& url) const;
  Reply show(const WebContent& content, const std::filesystem::path& file,
             const Request& request) const;
  std::string tag_of(const std::filesystem::path& file, std::uint64_t size) const;

  const WebContents contents_;
  const std::time_t since_;
  mutable std::map<std::string, std::string> tags_;  // of the files requested so far
};

// The client of a request, and its protocol.
struct Visitor {
  std::string machine;
  bool tls = false;
  std::function<bool()> is_cut_off = {};  // no request reaches the web now; empty: never
};
// The handler for all hosts of the web and of AWS. A mapped file has precedence, also on a host of
// AWS. AWS answers for its own hosts. All other requests get 404.
// A visitor that is cut off gets no answer from the web. The log has every answer that is
// not from AWS as guest.download.
Handler web_and_aws(std::shared_ptr<const Web> web, Visitor visitor, sim::Simulation& simulation,
                    sim::EventLog& log, std::function<bool(const std::string& host)> of_aws,
                    Handler aws);

}  // namespace fakes
