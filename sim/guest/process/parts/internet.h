// The internet of guests that have their own network: DNS, certificates for names, AWS by TLS, and
// the contents of the scenario's URLs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "fakes/http/certificate_authority.h"
#include "fakes/web/web.h"
#include "sim/guest/names/name_server.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// The part of ProcessHost that answers names and TLS connections. Its authority signs a certificate
// for each name that a guest connects to, and guests trust that authority.
class Internet {
 public:
  explicit Internet(HostContext& context) : context_(context), name_server_(context.simulation) {}

  // Makes this run's certificate authority, and reads the contents of the scenario's URLs. Without
  // this call there is no internet.
  void set_up();
  // Readable when a guest has sent a DNS query. Then call answer_questions(). It returns true if
  // there was a query.
  int questions_descriptor() const { return name_server_.descriptor(); }
  bool answer_questions() { return name_server_.poll(); }

  // ---- a machine's files, before it starts
  void add_files(SandboxSpec&, const cloud::InstanceId& or_empty) const;
  // Adds this run's authority to the image's own lists of authorities.
  void add_trust(const Image&, SandboxSpec&) const;

  // ---- a running machine. `aws` answers requests to AWS The handler of requests by plain HTTP or
  // by TLS.
  fakes::Handler handler_of(const Machine&, bool tls, const fakes::Handler& aws);
  // Serves the machine's TLS connections and its DNS queries.
  void connect(Machine&, const fakes::Handler& aws);
  void disconnect(Machine& machine) { name_server_.close(machine.names); }

 private:
  const fakes::TlsIdentity& identity_of(const std::string& name);
  NameAnswer look_up_for(Machine&, const std::string& name);

  HostContext& context_;
  NameServer name_server_;
  std::optional<fakes::CertificateAuthority> authority_;  // its key is stored nowhere else
  std::map<std::string, std::string> files_;              // path in a guest → contents
  std::map<std::string, fakes::TlsIdentity> identities_;  // for the names so far
  std::shared_ptr<const fakes::Web> web_;
  std::set<std::string, std::less<>> hosts_;  // of the scenario's URLs and repositories
};

}  // namespace sim::guest
