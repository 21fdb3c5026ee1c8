// The internet of guests that have a network of their own: names, certificates for them, AWS by
// TLS, and what else is at URLs.
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

class Internet {
 public:
  explicit Internet(HostContext& context) : context_(context), name_server_(context.simulation) {}

  // Makes this run's certificate authority, and reads the contents of the scenario's URLs. Without
  // it there is no internet.
  void set_up();
  // Readable when a guest has asked for a name; then answer_questions() is to be called, which is
  // true if there was any.
  int questions_descriptor() const { return name_server_.descriptor(); }
  bool answer_questions() { return name_server_.poll(); }

  // ---- a machine's files, before it starts
  void add_files(SandboxSpec&, bool instance) const;
  // Lets the image's own lists of authorities have this run's.
  void add_trust(const Image&, SandboxSpec&) const;

  // ---- a machine that runs; `aws` answers as AWS
  // The handler of requests at plain HTTP, or by TLS.
  fakes::Handler handler_of(const Machine&, bool tls, const fakes::Handler& aws);
  // Serves the machine's TLS connections and its questions for names.
  void connect(Machine&, const fakes::Handler& aws);
  void disconnect(Machine& machine) { name_server_.close(machine.names); }

 private:
  const fakes::TlsIdentity& identity_of(const std::string& name);
  NameAnswer look_up_for(Machine&, const std::string& name);

  HostContext& context_;
  NameServer name_server_;
  std::optional<fakes::CertificateAuthority> authority_;  // of this run; its key is nowhere else
  std::map<std::string, std::string> files_;              // path in a guest → contents
  std::map<std::string, fakes::TlsIdentity> identities_;  // of the names asked for so far
  std::shared_ptr<const fakes::Web> web_;
  std::set<std::string, std::less<>> hosts_;  // of the scenario's URLs and repositories
};

}  // namespace sim::guest
