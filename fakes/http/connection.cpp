#include "fakes/http/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

namespace fakes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kHeaderLimit = 16 * 1024;
constexpr std::uint64_t kBodyLimit = 1024 * 1024;
// A long upload is written to its file in parts of this size.
constexpr std::size_t kUploadPart = 256 * 1024, kSocketRead = 64 * 1024;
// The number of bytes that are read and discarded if a client continues to send after a refusal.
constexpr std::uint64_t kDrainLimit = 4 * kBodyLimit;
// A long body is sent in parts. Each takes a tenth of a second, within these limits.
constexpr std::int64_t kPartsPerSecond = 10, kSmallestPart = 16 * 1024, kLargestPart = 1024 * 1024;

Response plain(http::status status, const std::string& text) {
  Response response{status, 11};
  response.set(http::field::content_type, "text/plain");
  response.body() = text + "\n";
  return response;
}

// RFC 9110, 8.6; in a 304 it would be the length that a 200 had.
bool may_have_length(http::status status) {
  return status != http::status::no_content && status != http::status::not_modified;
}

// A completion handler or an event that comes after close() finds it closed.
class HttpConnection : public Connection, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::unique_ptr<Channel> channel, const std::shared_ptr<Listener>& listener,
                 std::uint64_t id)
      : channel_(std::move(channel)),
        listener_(listener),
        id_(id),
        buffer_(kHeaderLimit + kBodyLimit) {
    error_code ignored;
    channel_->socket().set_option(tcp::no_delay(true), ignored);
  }

  ~HttpConnection() override { count_writing(-1); }

  void start() override {
    enter(Stage::kGreeting);
    channel_->greet(then(&HttpConnection::greeted));
  }

  void close() override {
    touch();
    error_code ignored;
    channel_->socket().close(ignored);
    if (const auto listener = listener_.lock()) listener->connections.erase(id_);
  }

  bool is_idle() const override {
    return stage_ == Stage::kHead || stage_ == Stage::kGreeting || stage_ == Stage::kFeed;
  }
  void feed() override {
    if (stage_ != Stage::kFeed) return;
    fed_ = feed_();
    if (fed_.empty()) return;
    enter(Stage::kAnswer);
    asio::async_write(*channel_, asio::buffer(fed_), then(&HttpConnection::part_fed));
  }
  bool too_slow(std::chrono::nanoseconds now, const Patience& patience) const override {
    switch (stage_) {
      case Stage::kGreeting:
      case Stage::kHead:
        return now - since_ > patience.head;
      case Stage::kBody:
        return now - since_ > patience.body;
      case Stage::kHandled:
      case Stage::kFeed:
        return false;  // the handler takes long, not the client
      case Stage::kAnswer:
      case Stage::kClosing:
        return now - since_ > patience.answer;
    }
    return false;
  }

 private:
  enum class Stage { kGreeting, kHead, kBody, kHandled, kAnswer, kFeed, kClosing };

  // Follows every operation on the channel. All operations use the same type, so Beast's templates
  // are compiled once.
  struct Step {
    std::shared_ptr<HttpConnection> self;
    void (HttpConnection::*next)(error_code error, std::size_t bytes);
    void operator()(error_code error, std::size_t bytes) const { ((*self).*next)(error, bytes); }
  };
  Step then(void (HttpConnection::*next)(error_code, std::size_t)) {
    return {shared_from_this(), next};
  }

  void touch() const {
    if (const auto listener = listener_.lock()) listener->touched();
  }
  void enter(Stage stage) {
    touch();
    count_writing(-1);
    stage_ = stage;
    count_writing(+1);
    if (const auto listener = listener_.lock()) since_ = listener->shared.now;
  }

  // Counts pending writes. They complete when the client makes room or requests more, not when a
  // stage begins.
  void count_writing(int change) const {
    if (stage_ != Stage::kGreeting && stage_ != Stage::kAnswer) return;
    if (const auto listener = listener_.lock()) listener->writing += change;
  }

  void greeted(error_code error, std::size_t) {
    if (error) return close();
    read();
  }

  void read() {
    enter(Stage::kHead);
    head_.emplace();
    head_->header_limit(kHeaderLimit);
    head_->body_limit(std::numeric_limits<std::uint64_t>::max());  // looked at in read_body()
    http::async_read_header(*channel_, buffer_, *head_, then(&HttpConnection::read_body));
  }

  bool is_open() { return channel_->socket().is_open(); }

  // Relevant only for bodies that are long or take virtual time.
  bool takes_long_upload(const LongUploads& uploads) const {
    const bool is_short = head_->content_length().value_or(kBodyLimit + 1) <= kBodyLimit;
    if (!uploads.taken || (is_short && uploads.bytes_per_second == LongUploads::kAtOnce))
      return false;
    return uploads.taken(head_->get());
  }

  // curl and the SDKs send the body of a larger request only after "100 Continue". It is also sent
  // for an empty body, because botocore would otherwise take the answer's status for the next
  // request's.
  void read_body(error_code error, std::size_t) {
    if (error) return refuse(error);
    enter(Stage::kBody);
    const auto listener = listener_.lock();
    if (!listener) return;
    long_ = takes_long_upload(listener->shared.uploads);
    const std::uint64_t most = long_ ? listener->shared.uploads.most : kBodyLimit;
    if (head_->content_length().value_or(0) > most) return refuse(http::error::body_limit);
    if (head_->get()[http::field::expect] == "100-continue") {
      answer_head_ = {http::status::continue_, 11};
      http::async_write(*channel_, answer_head_, then(&HttpConnection::told_to_go_on));
      return;
    }
    read_rest();
  }

  void told_to_go_on(error_code error, std::size_t) {
    if (error) return close();
    read_rest();
  }

  void read_rest() {
    // Beast reads as much at once as there is room for, by default 512 bytes.
    if (head_->chunked() || head_->content_length().value_or(0) >= kSocketRead)
      buffer_.reserve(kSocketRead);
    if (long_ && head_->content_length().value_or(kBodyLimit + 1) > kBodyLimit)
      return begin_long_upload();
    parser_.emplace(std::move(*head_));
    parser_->body_limit(kBodyLimit);
    http::async_read(*channel_, buffer_, *parser_, then(&HttpConnection::read_all));
  }

  void read_all(error_code error, std::size_t) {
    if (error) return refuse(error);
    arrived(parser_->release());
  }

  void begin_long_upload() {
    const auto listener = listener_.lock();
    if (!listener) return;
    upload_ = {};
    long_parser_.emplace(std::move(*head_));
    long_parser_->body_limit(listener->shared.uploads.most);
    part_.resize(kUploadPart);
    read_part();
  }

  void read_part() {
    auto& body = long_parser_->get().body();
    body.data = part_.data();
    body.size = part_.size();
    http::async_read(*channel_, buffer_, *long_parser_, then(&HttpConnection::keep_part));
  }

  void keep_part(error_code failed, std::size_t) {
    if (failed && failed != http::error::need_buffer) return refuse(failed);
    const auto listener = listener_.lock();
    if (!listener) return;
    since_ = listener->shared.now;
    const std::size_t n = part_.size() - long_parser_->get().body().size;
    try {
      upload_.append(listener->shared.uploads.file.keep(std::span(part_).first(n)));
    } catch (const std::system_error& error) {
      return answer_and_close(plain(http::status::insufficient_storage, error.what()));
    }
    if (!long_parser_->is_done()) return read_part();
    part_ = {};
    Request request(
        Request::Message(http::request_header<>(std::move(long_parser_->get().base()))));
    request.upload = std::move(upload_);
    arrived(std::move(request));
  }

  // A body counts as received when its last byte has arrived.
  void arrived(Request request) {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    enter(Stage::kHandled);
    if (buffer_.capacity() >= kSocketRead) buffer_.shrink_to_fit();
    const std::uint64_t size = request.upload ? request.upload->size() : request.body().size();
    const auto takes =
        long_ ? time_of(size, listener->shared.uploads.bytes_per_second) : sim::Duration::zero();
    if (takes == sim::Duration::zero()) return handle(request);
    later(takes, [request = std::make_shared<Request>(std::move(request))](HttpConnection& self) {
      if (self.channel_->is_left()) return self.close();
      self.handle(*request);
    });
  }

  void handle(const Request& request) {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    enter(Stage::kHandled);
    const Asked asked{request.version(), request.keep_alive(),
                      request.method() == http::verb::head};
    Reply reply = listener->handler(request);
    if (!reply.pending) return answer(asked, std::move(reply));
    reply.pending({.listens =
                       [weak = weak_from_this()] {
                         const auto self = weak.lock();
                         return self && self->is_open() && !self->channel_->is_left();
                       },
                   .answer =
                       [weak = weak_from_this(), asked](Reply late) {
                         if (const auto self = weak.lock()) self->answer(asked, std::move(late));
                       }});
  }

  // What an answer depends on.
  struct Asked {
    unsigned version;
    bool keep_alive, only_head;
  };
  void answer(const Asked& asked, Reply reply) {
    const auto listener = listener_.lock();
    if (!listener || !is_open()) return;
    response_ = std::move(reply.response);
    response_.version(asked.version);
    response_.keep_alive(asked.keep_alive && !listener->shared.finishing);
    body_ = std::move(reply.body);
    feed_ = asked.only_head ? Feed() : std::move(reply.feed);
    if (feed_)
      response_.keep_alive(false);  // the end of the connection is the end of the body
    else if (may_have_length(response_.result()))
      response_.content_length(body_ ? body_->size : response_.body().size());
    if (asked.only_head) {
      response_.body().clear();
      body_.reset();
    }
    later(reply.delay, [](HttpConnection& self) { self.write(); });
  }

  template <class Do>
  void later(sim::Duration delay, Do what) {
    const auto listener = listener_.lock();
    if (!listener) return;
    listener->shared.later(std::max(delay, sim::Duration::zero()), [weak = weak_from_this(), what] {
      if (const auto self = weak.lock(); self && self->is_open()) what(*self);
    });
  }

  void write() {
    if (body_ || feed_) return write_head();
    enter(Stage::kAnswer);
    http::async_write(*channel_, response_, then(&HttpConnection::written));
  }

  void written(error_code error, std::size_t) {
    if (error) return close();
    answered();
  }

  void answered() {
    if (!response_.keep_alive()) return hang_up();
    read();
  }

  void write_head() {
    enter(Stage::kAnswer);
    answer_head_ = http::response<http::empty_body>(response_.base());
    http::async_write(*channel_, answer_head_, then(&HttpConnection::head_written));
  }

  void head_written(error_code error, std::size_t) {
    if (error) return close();
    if (feed_) return enter(Stage::kFeed);
    sent_ = 0;
    wait_for_part();
  }

  // A part has arrived when its last byte has, after the earlier parts were processed.
  void wait_for_part() {
    if (sent_ == body_->size) {
      body_.reset();
      part_ = {};
      return answered();
    }
    enter(Stage::kHandled);
    const auto most = static_cast<std::uint64_t>(
        std::clamp(body_->bytes_per_second / kPartsPerSecond, kSmallestPart, kLargestPart));
    part_.resize(std::min(most, body_->size - sent_));
    const std::int64_t rate = body_->bytes_per_second;
    later(time_of(sent_ + part_.size(), rate) - time_of(sent_, rate),
          [](HttpConnection& self) { self.write_part(); });
  }

  void write_part() {
    if (!body_->read(sent_, part_)) return close();
    enter(Stage::kAnswer);
    asio::async_write(*channel_, asio::buffer(part_), then(&HttpConnection::part_written));
  }

  void part_written(error_code error, std::size_t n) {
    if (error) return close();
    sent_ += n;
    wait_for_part();
  }

  void part_fed(error_code error, std::size_t) {
    if (error) return close();
    const auto listener = listener_.lock();
    if (listener && listener->shared.finishing) return hang_up();
    enter(Stage::kFeed);
  }

  void refuse(error_code error) {
    if (!is_open()) return;
    if (error == http::error::end_of_stream || error == http::error::partial_message ||
        error.category() != http::make_error_code(http::error::end_of_stream).category()) {
      return close();  // the client went away
    }
    auto status = http::status::bad_request;
    if (error == http::error::body_limit) status = http::status::payload_too_large;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      status = http::status::request_header_fields_too_large;
    }
    answer_and_close(plain(status, error.message()));
  }

  void answer_and_close(Response response) {
    response_ = std::move(response);
    response_.keep_alive(false);
    response_.prepare_payload();
    write();
  }

  // Closing a socket with unread bytes resets the connection, and the client may lose the answer.
  // So half of it is closed first, and later bytes are discarded.
  void hang_up() { channel_->take_leave(then(&HttpConnection::half_close)); }

  void half_close(error_code, std::size_t) {
    touch();
    error_code error;
    channel_->socket().shutdown(tcp::socket::shutdown_send, error);
    if (error) return close();
    count_writing(-1);  // no further writes, however long the client keeps its half open
    stage_ = Stage::kClosing;
    drain();
  }

  void drain() {
    touch();
    channel_->socket().async_read_some(asio::buffer(sink_), then(&HttpConnection::drained));
  }

  void drained(error_code error, std::size_t n) {
    drained_ += n;
    if (error || drained_ > kDrainLimit) return close();
    drain();
  }

  std::unique_ptr<Channel> channel_;
  std::weak_ptr<Listener> listener_;
  std::uint64_t id_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> head_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::request_parser<http::buffer_body>> long_parser_;
  sim::objects::Body upload_;  // received so far
  bool long_ = false;          // the request may have a long body
  Response response_;
  http::response<http::empty_body> answer_head_;  // "100 Continue", or the head of a long body
  std::optional<LongBody> body_;
  Feed feed_;
  std::string fed_;         // the part of it that is being written
  std::uint64_t sent_ = 0;  // of the body
  std::vector<char> part_;  // of a long body, that comes next
  Stage stage_ = Stage::kHead;
  std::chrono::nanoseconds since_{};  // it is in this stage
  std::array<char, 4096> sink_;
  std::uint64_t drained_ = 0;
};

}  // namespace

std::shared_ptr<Connection> http_connection(std::unique_ptr<Channel> channel,
                                            const std::shared_ptr<Listener>& listener,
                                            std::uint64_t id) {
  return std::make_shared<HttpConnection>(std::move(channel), listener, id);
}

}  // namespace fakes
