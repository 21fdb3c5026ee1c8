#include "sim/serve/http_sender.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/files/file_descriptor.h"
#include "base/text/lower_case.h"

namespace sim::serve {
namespace {

constexpr long kPostConnectSeconds = 5, kPostSeconds = 15;  // SNS waits 15 s for an answer
constexpr std::size_t kMostTransfers = 16;
constexpr int kLongestPollMs = 1000;

struct FreeCurl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeHeaders {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// The host in a URL, in lower case; empty for a text that is not an HTTP URL.
std::string host_in_url(const std::string& text) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (!url) throw std::bad_alloc();
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return "";
  char *host = nullptr, *user = nullptr;
  const bool has_user = curl_url_get(url.get(), CURLUPART_USER, &user, 0) == CURLUE_OK;
  curl_free(user);
  if (has_user || curl_url_get(url.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK) return "";
  std::string out(host);
  curl_free(host);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool is_this_machine(std::string_view host) {
  const bool in_127 =
      host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
  return in_127 || host == "localhost" || host == "[::1]";
}

std::size_t drop_body(const char*, std::size_t, std::size_t size, void*) { return size; }

struct Job {
  std::uint64_t number = 0;  // in the order of post()
  messaging::HttpPost request;
  std::function<void(int)> done;
  int status = 0;  // of the answer; 0: there is none
};

// A request that is being sent. It stays at its address.
class Transfer {
 public:
  explicit Transfer(Job job) : job_(std::move(job)), curl_(curl_easy_init()) {
    if (!curl_) throw std::bad_alloc();
    for (const auto& [name, value] : job_.request.headers) {
      curl_slist* const longer =
          curl_slist_append(headers_.get(), fmt::format("{}: {}", name, value).c_str());
      if (!longer) throw std::bad_alloc();
      static_cast<void>(headers_.release());
      headers_.reset(longer);
    }
    const auto set = [&](CURLoption option, auto value) {
      curl_easy_setopt(curl_.get(), option, value);
    };
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_URL, job_.request.url.c_str());
    set(CURLOPT_NOPROXY, "*");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kPostConnectSeconds);
    set(CURLOPT_TIMEOUT, kPostSeconds);
    set(CURLOPT_HTTPHEADER, headers_.get());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(job_.request.body.size()));
    set(CURLOPT_POSTFIELDS, job_.request.body.data());
    set(CURLOPT_WRITEFUNCTION, drop_body);
  }

  CURL* handle() const { return curl_.get(); }
  const std::string& url() const { return job_.request.url; }
  Job end(CURLcode result) {
    long status = 0;
    if (result == CURLE_OK) curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    job_.status = static_cast<int>(status);
    return std::move(job_);
  }

 private:
  Job job_;
  std::unique_ptr<curl_slist, FreeHeaders> headers_;
  std::unique_ptr<CURL, FreeCurl> curl_;
};

// The main thread alone takes the signals that end the service.
std::thread thread_without_signals(std::function<void()> work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

struct HttpSender::State {
  std::vector<std::string> allowed_hosts;
  base::FileDescriptor ready;  // an eventfd: the number of complete jobs is not zero
  std::unique_ptr<CURLM, FreeMulti> multi{curl_multi_init()};
  std::mutex mutex;  // guards the members up to `ends`
  std::deque<Job> waiting;
  std::vector<Job> complete;
  std::uint64_t posted = 0;
  bool ends = false;
  std::map<std::string, std::unique_ptr<Transfer>> transfers = {};  // of the thread, by URL
  std::thread thread = {};

  void work() {
    while (begin_transfers()) {
      int running = 0, left = 0;
      curl_multi_perform(multi.get(), &running);
      while (const CURLMsg* const message = curl_multi_info_read(multi.get(), &left))
        if (message->msg == CURLMSG_DONE) end_transfer(message->easy_handle, message->data.result);
      if (has_room_for_more()) continue;
      curl_multi_poll(multi.get(), nullptr, 0, kLongestPollMs, nullptr);
    }
    for (const auto& [url, transfer] : transfers)
      curl_multi_remove_handle(multi.get(), transfer->handle());
  }

  bool can_begin(const Job& job) const {
    return transfers.size() < kMostTransfers && !transfers.contains(job.request.url);
  }
  bool has_room_for_more() {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(waiting, [&](const Job& job) { return can_begin(job); });
  }
  // Begins the jobs whose endpoints get no other request now. False: the sender ends.
  bool begin_transfers() {
    const std::lock_guard lock(mutex);
    if (ends) return false;
    for (auto job = waiting.begin(); job != waiting.end();) {
      if (!can_begin(*job)) {
        ++job;
        continue;
      }
      auto transfer = std::make_unique<Transfer>(std::move(*job));
      job = waiting.erase(job);
      const std::string url = transfer->url();
      if (curl_multi_add_handle(multi.get(), transfer->handle()) == CURLM_OK)
        transfers.emplace(url, std::move(transfer));
      else
        keep(transfer->end(CURLE_FAILED_INIT));
    }
    return true;
  }
  // The caller holds `mutex`.
  void keep(Job job) {
    complete.push_back(std::move(job));
    eventfd_write(ready.get(), 1);
  }
  void end_transfer(CURL* handle, CURLcode result) {
    Transfer* transfer = nullptr;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
    curl_multi_remove_handle(multi.get(), handle);
    Job job = transfer->end(result);
    transfers.erase(job.request.url);
    const std::lock_guard lock(mutex);
    keep(std::move(job));
  }
};

HttpSender::HttpSender(const std::vector<std::string>& allowed_hosts)
    : state_(std::make_unique<State>()) {
  if (!state_->multi) throw std::bad_alloc();
  for (const std::string& host : allowed_hosts)
    state_->allowed_hosts.push_back(base::lower_case(host));
  state_->ready = base::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state_->ready.get() < 0)
    throw std::system_error(errno, std::generic_category(), "eventfd for SNS's messages");
  state_->thread = thread_without_signals([state = state_.get()] { state->work(); });
}

HttpSender::~HttpSender() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ends = true;
  }
  curl_multi_wakeup(state_->multi.get());
  state_->thread.join();
}

std::string HttpSender::obstacle(const std::string& url) const {
  const std::string host = host_in_url(url);
  if (host.empty()) return "it is not a URL with a host and without a user";
  if (is_this_machine(host) || std::ranges::count(state_->allowed_hosts, host) > 0) return "";
  return fmt::format(
      "found the host {}, expected localhost, 127.0.0.1, [::1] or a host of --allow-host: spotsim "
      "sends nothing to other machines",
      host);
}

void HttpSender::post(messaging::HttpPost request, std::function<void(int status)> done) {
  const std::lock_guard lock(state_->mutex);
  state_->waiting.push_back(
      {.number = state_->posted++, .request = std::move(request), .done = std::move(done)});
  curl_multi_wakeup(state_->multi.get());
}

int HttpSender::descriptor() const { return state_->ready.get(); }

void HttpSender::take_answers() {
  std::vector<Job> complete;
  {
    const std::lock_guard lock(state_->mutex);
    eventfd_t ignored = 0;
    eventfd_read(state_->ready.get(), &ignored);
    complete.swap(state_->complete);
  }
  std::ranges::sort(complete, {}, &Job::number);
  for (const Job& job : complete) job.done(job.status);
}

}  // namespace sim::serve
