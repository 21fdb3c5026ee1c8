#include "fakes/http/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "fakes/http/connection.h"
#include "fakes/http/tls_contexts.h"

namespace fakes {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

void accept(const std::shared_ptr<Listener>& listener) {
  listener->accepting = true;
  listener->acceptor.async_accept([listener](error_code error, tcp::socket socket) {
    listener->accepting = false;
    // For example, no descriptors are left. A later poll() tries again; a loop here would never
    // end.
    if (error) {
      listener->failed = listener->shared.now;
      return;
    }
    const auto id = listener->next_connection++;
    auto channel = listener->tls ? tls_channel(std::move(socket), listener->tls->new_reference())
                                 : plain_channel(std::move(socket));
    const auto made = http_connection(std::move(channel), listener, id);
    listener->connections.emplace(id, made);
    made->start();
    accept(listener);
  });
}

tcp protocol_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::system_error(errno, std::generic_category(), "fakes::Server::listen");
  }
  if (address.ss_family == AF_INET6) return tcp::v6();
  if (address.ss_family == AF_INET) return tcp::v4();
  throw std::invalid_argument("fakes::Server::listen: not a TCP socket");
}

}  // namespace

struct Server::State {
  explicit State(Later later) : shared{std::move(later)} {}

  void watch(int descriptor) {
    Watched& watched = watches.at(descriptor);
    watched.descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                  [this, descriptor](error_code error) {
                                    if (error) return;
                                    watches.at(descriptor).readable();
                                    watch(descriptor);
                                  });
  }
  int listen(int listening_socket, std::shared_ptr<Listener> listener) {
    listener->acceptor.assign(protocol_of(listening_socket), listening_socket);
    const int token = next_token++;
    listeners.emplace(token, listener);
    accept(listener);
    return token;
  }
  std::vector<std::shared_ptr<Connection>> connections() const {
    std::vector<std::shared_ptr<Connection>> all;
    for (const auto& [token, listener] : listeners)
      for (const auto& [id, connection] : listener->connections) all.push_back(connection);
    return all;
  }

  ServerState shared;
  asio::io_context io{1};
  std::map<int, std::shared_ptr<Listener>> listeners;
  int next_token = 1;
  struct Watched {
    asio::posix::stream_descriptor descriptor;
    std::function<void()> readable;
  };
  std::map<int, Watched> watches;
};

Server::Server(sim::Simulation& simulation)
    : Server([&simulation](sim::Duration delay, std::function<void()> write) {
        simulation.after(delay, std::move(write));
      }) {}
Server::Server(Later later) : state_(std::make_unique<State>(std::move(later))) {}

Server::~Server() {
  for (auto& [descriptor, watched] : state_->watches) watched.descriptor.release();
  while (!state_->listeners.empty()) close(state_->listeners.begin()->first);
}

int Server::listen(int listening_socket, Handler handler, std::function<void()> touched) {
  return state_->listen(listening_socket,
                        std::make_shared<Listener>(state_->io, state_->shared, std::move(handler),
                                                   std::move(touched)));
}

int Server::listen_tls(int listening_socket, Handler handler, const TlsIdentity& identity,
                       IdentityOf by_name, std::function<void()> touched) {
  auto listener = std::make_shared<Listener>(state_->io, state_->shared, std::move(handler),
                                             std::move(touched));
  listener->tls = std::make_unique<TlsContexts>(identity, std::move(by_name));
  return state_->listen(listening_socket, std::move(listener));
}

void Server::take_long_uploads(LongUploads uploads) { state_->shared.uploads = std::move(uploads); }

void Server::close(int token) {
  const auto found = state_->listeners.find(token);
  if (found == state_->listeners.end()) return;
  const auto listener = found->second;
  state_->listeners.erase(found);
  error_code ignored;
  listener->acceptor.close(ignored);
  const auto connections = std::move(listener->connections);
  listener->connections.clear();
  for (const auto& [id, connection] : connections) connection->close();
}

bool Server::poll() {
  for (const auto& [token, listener] : state_->listeners) {
    const auto now = state_->shared.now;
    const bool may = now == now.zero() || now > listener->failed;  // where there is a clock: later
    if (!listener->accepting && may && !state_->shared.finishing) accept(listener);
    if (listener->writing > 0) listener->touched();
  }
  state_->io.restart();
  return state_->io.poll() > 0;
}

void Server::wait(std::chrono::nanoseconds longest) {
  state_->io.restart();
  state_->io.run_one_for(longest);
}

void Server::watch(int descriptor, std::function<void()> readable) {
  state_->watches.emplace(
      descriptor,
      State::Watched{asio::posix::stream_descriptor(state_->io, descriptor), std::move(readable)});
  state_->watch(descriptor);
}

void Server::drop_slow(std::chrono::nanoseconds now, const Patience& patience) {
  state_->shared.now = now;
  for (const auto& connection : state_->connections())
    if (connection->too_slow(now, patience)) connection->close();
}

void Server::feed() {
  for (const auto& connection : state_->connections()) connection->feed();
}

void Server::finish() {
  state_->shared.finishing = true;
  error_code ignored;
  for (const auto& [token, listener] : state_->listeners) listener->acceptor.close(ignored);
  for (const auto& connection : state_->connections())
    if (connection->is_idle()) connection->close();
}

std::size_t Server::connections() const { return state_->connections().size(); }

}  // namespace fakes
