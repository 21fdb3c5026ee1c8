#include "fakes/web/web.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include "base/files/file_descriptor.h"
#include "fakes/http/http_date.h"
#include "fakes/http/no_answer.h"
#include "fakes/http/printable.h"
#include "fakes/web/byte_range.h"
#include "sim/events/event.h"

namespace fakes {
namespace {

namespace fs = std::filesystem;
namespace http = boost::beast::http;

constexpr std::size_t kLongestLogged = 1000;

std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

Reply plain_answer(unsigned status, sim::Duration delay) {
  Response response;
  response.result(status);
  response.set(http::field::content_type, "text/plain");
  if (status >= 400)
    response.body() =
        fmt::format("{}: {}\n", status, text_of(http::obsolete_reason(response.result())));
  return {std::move(response), delay, {}};
}

Reply redirect_to(const std::string& url, unsigned status, sim::Duration delay) {
  Reply reply = plain_answer(status, delay);
  reply.response.set(http::field::location, url);
  return reply;
}

std::string http_date(std::time_t time) {
  return fakes::http_date(sim::Time(std::chrono::seconds(time)));
}

std::optional<std::time_t> read_http_date(const std::string& text) {
  std::tm time{};
  const char* const end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &time);
  return end && !*end ? std::optional(timegm(&time)) : std::nullopt;
}

// Decodes percent encoding: "%20" becomes " ". Empty if the path would lead out of the folder.
std::optional<std::string> path_below(std::string_view target) {
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      const int c = at < target.size() ? std::tolower(static_cast<unsigned char>(target[at])) : 0;
      return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    const bool escaped = target[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    path += escaped ? static_cast<char>(digit(i + 1) * 16 + digit(i + 2)) : target[i];
    if (escaped) i += 2;
  }
  if (path.find('\0') != path.npos || path.starts_with('/')) return {};
  for (const auto& part : fs::path(path))
    if (part == "..") return {};
  return path;
}

// Reads at any position. Returns false if the file ends before that.
std::function<bool(std::uint64_t, std::span<char>)> reading_of(int descriptor) {
  const auto file = std::make_shared<base::FileDescriptor>(descriptor);
  return [file](std::uint64_t at, std::span<char> part) {
    while (!part.empty()) {
      const ssize_t n = pread(file->get(), part.data(), part.size(), static_cast<off_t>(at));
      if (n <= 0) return false;
      part = part.subspan(static_cast<std::size_t>(n));
      at += static_cast<std::uint64_t>(n);
    }
    return true;
  };
}

bool zeros(std::uint64_t, std::span<char> part) {
  std::ranges::fill(part, '\0');
  return true;
}

bool is_unchanged(const Request& request, const std::string& tag, std::time_t since) {
  const auto tags = request.find(http::field::if_none_match);
  if (tags != request.end())
    return tags->value() == "*" || tags->value().find(tag) != tags->value().npos;
  const auto seen = read_http_date(text_of(request[http::field::if_modified_since]));
  return seen && *seen >= since;
}

}  // namespace

Web::Web(WebContents contents, sim::Time since)
    : contents_(std::move(contents)),
      since_(std::chrono::duration_cast<std::chrono::seconds>(since.time_since_epoch()).count()) {}

std::set<std::string, std::less<>> Web::hosts() const {
  std::set<std::string, std::less<>> hosts;
  for (const auto& [text, content] : contents_)
    if (const auto url = parse_url(text)) hosts.insert(url->host);
  return hosts;
}

std::optional<Web::Found> Web::find(const Url& url) const {
  const std::string whole = to_string(url);
  const std::string path = whole.substr(0, whole.find('?'));
  for (const std::string& exact : {whole, path})
    if (const auto at = contents_.find(exact); at != contents_.end()) return Found{&at->second, ""};
  for (std::size_t end = path.rfind('/'); end + 1 > std::string_view("https://").size();
       end = path.rfind('/', end - 1)) {
    const auto at = contents_.find(path.substr(0, end + 1));
    if (at == contents_.end()) continue;
    const auto below = path_below(std::string_view(path).substr(end + 1));
    if (below &&
        (at->second.status || !at->second.redirect.empty() || fs::is_directory(at->second.path)))
      return Found{&at->second, *below};
  }
  return {};
}

std::string Web::tag_of(const fs::path& file, std::uint64_t size) const {
  if (file.empty()) return fmt::format("\"{:x}\"", size);
  const auto known = tags_.find(file);
  if (known != tags_.end()) return known->second;
  const base::FileDescriptor in(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(),
                                                                      XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  std::vector<char> part(1024 * 1024);
  for (ssize_t n = 0; (n = read(in.get(), part.data(), part.size())) > 0;)
    XXH3_64bits_update(hash.get(), part.data(), static_cast<std::size_t>(n));
  return tags_[file] = fmt::format("\"{:016x}\"", XXH3_64bits_digest(hash.get()));
}

Reply Web::show(const WebContent& content, const fs::path& file, const Request& request) const {
  std::error_code ignored;
  LongBody body{.size = content.size.value_or(0),
                .read = zeros,
                .bytes_per_second = content.bytes_per_second};
  if (!content.size) {
    const int descriptor =
        fs::is_regular_file(file, ignored) ? open(file.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0) return plain_answer(404, content.latency);
    body.read = reading_of(descriptor);
    body.size = fs::file_size(file, ignored);
  }
  const std::string tag = tag_of(content.size ? fs::path() : file, body.size);
  const bool unchanged = is_unchanged(request, tag, since_);
  Reply reply = plain_answer(unchanged ? 304 : 200, content.latency);
  reply.response.set(http::field::content_type, "application/octet-stream");
  reply.response.set(http::field::accept_ranges, "bytes");
  reply.response.set(http::field::etag, tag);
  reply.response.set(http::field::last_modified, http_date(since_));
  if (unchanged) return reply;
  const std::string condition = text_of(request[http::field::if_range]);
  // A range is asked for by GET only (RFC 9110, 14.2).
  const bool whole = request.method() != http::verb::get ||
                     (!condition.empty() && condition != tag && condition != http_date(since_));
  const ByteRange range =
      read_byte_range(whole ? "" : text_of(request[http::field::range]), body.size);
  if (range.kind == ByteRange::Kind::kUnsatisfiable) {
    reply = plain_answer(416, content.latency);
    reply.response.set(http::field::content_range, fmt::format("bytes */{}", body.size));
    return reply;
  }
  if (range.kind == ByteRange::Kind::kPart) {
    reply.response.result(206);
    reply.response.set(
        http::field::content_range,
        fmt::format("bytes {}-{}/{}", range.first, range.first + range.count - 1, body.size));
    body.size = range.count;
    body.read = [read = std::move(body.read), first = range.first](
                    std::uint64_t at, std::span<char> part) { return read(first + at, part); };
  }
  reply.body = std::move(body);
  return reply;
}

std::optional<Reply> Web::answer(const Url& url, const Request& request) const {
  const auto found = find(url);
  if (!found) {
    Url secure = url;
    secure.scheme = "https";
    if (url.scheme == "https" || !find(secure)) return {};
    return redirect_to(to_string(secure), 301, WebContent{}.latency);
  }
  const WebContent& content = *found->content;
  if (content.status) return plain_answer(content.status, content.latency);
  if (!content.redirect.empty()) return redirect_to(content.redirect, 302, content.latency);
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return plain_answer(405, content.latency);
  const std::string& below = found->below;
  return show(content, below.empty() ? content.path : content.path / below, request);
}

Handler web_and_aws(std::shared_ptr<const Web> web, Visitor visitor, sim::Simulation& simulation,
                    sim::EventLog& log, std::function<bool(const std::string& host)> of_aws,
                    Handler aws) {
  return [=, &simulation, &log](const Request& request) {
    const std::string host = text_of(request[http::field::host]);
    const std::string scheme = visitor.tls ? "https" : "http";
    const std::string target = text_of(request.target());
    const auto url = parse_url(scheme + "://" + host.substr(0, host.find(':')) +
                               target.substr(0, target.find('#')));
    if (!url) return aws(request);
    auto reply = web->answer(*url, request);
    if (!reply && of_aws(url->host)) return aws(request);
    if (visitor.is_cut_off && visitor.is_cut_off()) return plain_answer(504, kNoAnswer);
    if (!reply) reply = plain_answer(404, WebContent{}.latency);
    const bool head = request.method() == http::verb::head;
    const std::uint64_t bytes = reply->body ? reply->body->size : reply->response.body().size();
    log.append(sim::events::GuestDownload{
        .time = simulation.now(),
        .machine = visitor.machine,
        .method = percent_encode_unprintable(text_of(request.method_string())),
        .url = percent_encode_unprintable(to_string(*url)).substr(0, kLongestLogged),
        .status = reply->response.result_int(),
        .bytes = head ? 0 : static_cast<std::int64_t>(bytes)});
    return std::move(*reply);
  };
}

}  // namespace fakes
