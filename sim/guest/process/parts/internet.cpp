#include "sim/guest/process/parts/internet.h"

#include "base/files/whole_file.h"
#include "fakes/ec2/network/host_names.h"
#include "sim/events/event.h"
#include "sim/guest/names/known_names.h"
#include "sim/guest/names/trust.h"
#include "sim/guest/sandbox/guest_network.h"

namespace sim::guest {
namespace {

// A guest may ask for any number of names. This is the number that get certificates of their own in
// a run, and the number of unknown names that the log has of a machine.
constexpr std::size_t kMostNames = 1000;

// The host's, with host names from files and then from the resolver alone, and not from a daemon.
std::string name_services() {
  std::string text = base::read_file("/etc/nsswitch.conf").value_or(""), out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    if (!line.starts_with("hosts:")) out += line;
    begin = end;
  }
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out + "hosts: files dns\n";
}

const Image kHost;

// Where a file of such a guest's is on the host.
FilePlace place_of(const Image& image) {
  return [&image](const std::string& path) -> std::filesystem::path {
    const auto relative = std::filesystem::path(path).relative_path();
    std::error_code none;
    if (!image.root.empty() && std::filesystem::exists(image.root / relative, none))
      return image.root / relative;
    return image.host_packages && std::filesystem::exists(path, none) ? path : "";
  };
}

}  // namespace

void Internet::add_trust(const Image& image, SandboxSpec& spec) const {
  if (image.root.empty()) return;
  for (auto& [path, text] : trusting_files(*authority_, place_of(image)))
    spec.root.files[path] = text;
}

void Internet::set_up() {
  authority_.emplace(fakes::Validity::kAlways);
  files_ = trusting_files(*authority_, place_of(kHost));
  web_ = std::make_shared<fakes::Web>(context_.config.urls, context_.simulation.now());
  hosts_ = web_->hosts();
  for (const auto& [text, local] : context_.config.repositories)
    if (const auto url = fakes::parse_url(text)) hosts_.insert(url->host);
}

// A certificate for each name that a guest asks for: with it, any address that has a name can be a
// server's.
const fakes::TlsIdentity& Internet::identity_of(const std::string& name) {
  const auto known = identities_.find(name);
  if (known != identities_.end()) return known->second;
  return identities_.emplace(name, authority_->certify("spotsim", "DNS:" + name)).first->second;
}

void Internet::add_files(SandboxSpec& spec, const cloud::InstanceId& or_empty) const {
  auto& files = spec.root.files;
  files.insert(files_.begin(), files_.end());
  spec.environment.merge(trusting_variables());
  files["/etc/nsswitch.conf"] = name_services();
  files["/etc/resolv.conf"] =
      (or_empty.empty()
           ? ""
           : "search " + fakes::ec2::private_domain(context_.region_of(or_empty)) + "\n") +
      "nameserver " + kEndpointAddress + "\n";
}

fakes::Handler Internet::handler_of(const Machine& machine, bool tls, const fakes::Handler& aws) {
  return fakes::web_and_aws(
      web_,
      {machine.name, tls,
       [this, instance = machine.instance] {
         return !context_.fault_between(instance, {}).empty();
       }},
      context_.simulation, context_.log,
      [this](const std::string& host) { return is_endpoint_name(host, *context_.backend); }, aws);
}

void Internet::connect(Machine& machine, const fakes::Handler& aws) {
  InternetSockets sockets = machine.sandbox.take_internet();
  const auto touched = [this, guest = machine.guest] { context_.supervisor.wake(guest); };
  const auto by_name = [this, &machine](const std::string& name) -> const fakes::TlsIdentity* {
    if (!is_host_name(name) || !look_up_for(machine, name).exists) return nullptr;
    if (identities_.size() >= kMostNames && !identities_.contains(name)) return nullptr;
    return &identity_of(name);
  };
  machine.listeners.push_back(context_.server.listen_tls(
      sockets.tls.release(), handler_of(machine, true, aws),
      identity_of("ec2." + context_.config.region + ".amazonaws.com"), by_name, touched));
  machine.names = name_server_.serve(
      {.datagrams = std::move(sockets.name_datagrams),
       .stream = std::move(sockets.name_stream),
       .lookup = [this, &machine](const auto& name) { return look_up_for(machine, name); },
       .latency = context_.backend->latencies.imds,
       .touched = touched});
}

NameAnswer Internet::look_up_for(Machine& machine, const std::string& name) {
  const Asker asker = machine.instance.empty() ? Asker::kOperator : Asker::kInstance;
  const fakes::Backend& region = fakes::region_with(*context_.backend, machine.instance);
  NameAnswer answer = look_up(name, asker, region, hosts_);
  if (answer.exists) return answer;
  // A resolver asks for the name as it is and in its search domain.
  const std::string domain = "." + fakes::ec2::private_domain(region.cloud.config().region);
  const std::string meant =
      name.ends_with(domain) ? name.substr(0, name.size() - domain.size()) : name;
  if (machine.unknown_names.size() < kMostNames && machine.unknown_names.insert(meant).second)
    context_.log.append(events::GuestUnknownName{
        .time = context_.simulation.now(), .machine = machine.name, .name = meant});
  return answer;
}

}  // namespace sim::guest
