#include "sim/serve/http_sender.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
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

struct FreeCurl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeHeaders {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
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

int stop_if(const void* ends, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::atomic<bool>*>(ends)->load() ? 1 : 0;
}

// The status of the answer, or 0. `ends` stops it.
int send_post(const messaging::HttpPost& request, const std::atomic<bool>& ends) {
  const std::unique_ptr<CURL, FreeCurl> curl(curl_easy_init());
  std::unique_ptr<curl_slist, FreeHeaders> headers;
  for (const auto& [name, value] : request.headers)
    if (curl_slist* const longer =
            curl_slist_append(headers.get(), fmt::format("{}: {}", name, value).c_str())) {
      static_cast<void>(headers.release());
      headers.reset(longer);
    }
  if (!curl) return 0;
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(curl.get(), option, value);
  };
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, kPostConnectSeconds);
  set(CURLOPT_TIMEOUT, kPostSeconds);
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_WRITEFUNCTION, drop_body);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, stop_if);
  set(CURLOPT_XFERINFODATA, &ends);
  if (curl_easy_perform(curl.get()) != CURLE_OK) return 0;
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

// The main thread alone takes the signals that end the service.
std::thread thread_without_signals(std::function<void()> work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

struct Job {
  messaging::HttpPost request;
  std::function<void(int)> done;
  int status = 0;
};

}  // namespace

struct HttpSender::State {
  std::vector<std::string> allowed_hosts;
  base::FileDescriptor ready;  // an eventfd: the number of complete jobs is not zero
  std::mutex mutex;            // guards all below
  std::condition_variable changed;
  std::deque<Job> waiting;
  std::vector<Job> complete;
  std::atomic<bool> ends = false;
  std::thread thread;

  void work() {
    for (;;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return ends || !waiting.empty(); });
      if (ends) return;
      Job job = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      job.status = send_post(job.request, ends);
      lock.lock();
      complete.push_back(std::move(job));
      eventfd_write(ready.get(), 1);
    }
  }
};

HttpSender::HttpSender(const std::vector<std::string>& allowed_hosts)
    : state_(std::make_unique<State>()) {
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
  state_->changed.notify_all();
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
  state_->waiting.push_back({std::move(request), std::move(done)});
  state_->changed.notify_one();
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
  for (const Job& job : complete) job.done(job.status);
}

}  // namespace sim::serve
