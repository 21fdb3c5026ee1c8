#include "client/production/curl_http.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/socket.h>

#include <map>
#include <mutex>
#include <vector>

#include "base/loopback_server_for_test.h"

namespace client {
namespace {

struct Received {
  std::string line;
  std::map<std::string, std::string> headers;  // lower-case names
  std::string body;
};

// Answers each request on loopback with 200 and "pong"; counts connections.
class Loopback {
 public:
  std::string url() const { return server_.endpoint() + "/"; }
  std::vector<Received> received() {
    const std::lock_guard lock(mutex_);
    return received_;
  }
  int connections() {
    const std::lock_guard lock(mutex_);
    return connections_;
  }

 private:
  void serve(int connection) {
    {
      const std::lock_guard lock(mutex_);
      ++connections_;
    }
    std::string buffer;
    while (serve_one(connection, buffer)) {
    }
  }

  static bool more(int connection, std::string& buffer) {
    char bytes[4096];
    const ssize_t got = recv(connection, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  bool serve_one(int connection, std::string& buffer) {
    std::size_t end;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (!more(connection, buffer)) return false;
    }
    Received request;
    std::size_t at = buffer.find("\r\n");
    request.line = buffer.substr(0, at);
    while (at < end) {
      const std::size_t next = buffer.find("\r\n", at + 2);
      const std::string line = buffer.substr(at + 2, next - at - 2);
      std::string name = line.substr(0, line.find(':'));
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      request.headers[name] = line.substr(line.find(':') + 2);
      at = next;
    }
    buffer.erase(0, end + 4);
    const auto length = request.headers.find("content-length");
    const std::size_t size = length == request.headers.end() ? 0 : std::stoul(length->second);
    while (buffer.size() < size) {
      if (!more(connection, buffer)) return false;
    }
    request.body = buffer.substr(0, size);
    buffer.erase(0, size);
    {
      const std::lock_guard lock(mutex_);
      received_.push_back(request);
    }
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong";
    return send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) > 0;
  }

  std::mutex mutex_;
  std::vector<Received> received_;
  int connections_ = 0;
  base::LoopbackServer server_{
      [this](const base::FileDescriptor& connection) { serve(connection.get()); }};
};

using Bytes = std::vector<unsigned char>;

std::string hex(const Bytes& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}
std::string sha256(const std::string& text) {
  Bytes digest(32);
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return hex(digest);
}
Bytes hmac(const Bytes& key, const std::string& text) {
  Bytes digest(32);
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
  return digest;
}

// The signature by AWS's rules ("Signature Version 4 signing process" of the IAM guide), over the
// headers that the request names as signed. The query's names are in order.
std::string expected_signature(const Received& request, const std::string& signed_headers,
                               const std::string& secret, const std::string& service = "ec2") {
  const std::size_t target = request.line.find(' ') + 1;
  const std::size_t end_of_target = request.line.find(' ', target);
  const std::size_t query = std::min(request.line.find('?'), end_of_target);
  std::string canonical = request.line.substr(0, target - 1) + "\n" +
                          request.line.substr(target, query - target) + "\n" +
                          request.line.substr(query, end_of_target - query).erase(0, 1) + "\n";
  for (std::size_t at = 0; at <= signed_headers.size();) {
    const std::size_t end = std::min(signed_headers.find(';', at), signed_headers.size());
    const std::string name = signed_headers.substr(at, end - at);
    canonical += name + ":" + request.headers.at(name) + "\n";
    at = end + 1;
  }
  const auto named = request.headers.find("x-amz-content-sha256");
  const std::string payload = named == request.headers.end() ? sha256(request.body) : named->second;
  canonical += "\n" + signed_headers + "\n" + payload;
  const std::string time = request.headers.at("x-amz-date");
  const std::string scope = time.substr(0, 8) + "/us-west-2/" + service + "/aws4_request";
  const std::string to_sign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256(canonical);
  const std::string first = "AWS4" + secret;
  Bytes key = hmac(Bytes(first.begin(), first.end()), time.substr(0, 8));
  for (const std::string& part : {std::string("us-west-2"), service, std::string("aws4_request")})
    key = hmac(key, part);
  return hex(hmac(key, to_sign));
}

std::string field(const std::string& authorization, const std::string& name) {
  const std::size_t at = authorization.find(name + "=") + name.size() + 1;
  return authorization.substr(at, authorization.find(',', at) - at);
}

TEST(CurlHttp, SignsAsAwsVerifiesTheSessionTokenIncluded) {
  Loopback server;
  CurlHttp http;
  http.send({.method = "POST",
             .url = server.url(),
             .headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                         {"x-amz-security-token", "FwoGZXIvYXdzE=="}},
             .body = "Action=DescribeVolumes&Version=2016-11-15",
             .signing =
                 AwsSigning{"us-west-2", "ec2", {"AKIDEXAMPLE", "wJalr/K7+b", "FwoGZXIvYXdzE=="}}});
  const Received request = server.received().at(0);
  const std::string authorization = request.headers.at("authorization");
  const std::string signed_headers = field(authorization, "SignedHeaders");
  EXPECT_EQ(signed_headers, "content-type;host;x-amz-date;x-amz-security-token");
  // curl signs the host's name without a port. AWS's endpoints use the default port, for which Host
  // is that name.
  Received as_on_default_port = request;
  as_on_default_port.headers["host"] = "127.0.0.1";
  const std::string signature = field(authorization, "Signature");
  EXPECT_TRUE(signature == expected_signature(request, signed_headers, "wJalr/K7+b") ||
              signature == expected_signature(as_on_default_port, signed_headers, "wJalr/K7+b"))
      << authorization;
}

// The signature for S3 (Amazon S3 API Reference, "Authenticating Requests"): the payload by
// x-amz-content-sha256, the host with its port, the query.
TEST(CurlHttp, SignsForS3) {
  Loopback server;
  CurlHttp http;
  const std::string host = server.url().substr(7, server.url().size() - 8);
  const AwsSigning signing{"us-west-2", "s3", {"AKIDEXAMPLE", "wJalr/K7+b", ""}};
  for (const char* target : {"bucket/a%20b/step-1.json", "bucket/key?partNumber=1&uploadId=a%2Fb",
                             "bucket/key?uploads=", "bucket/?list-type=2&prefix=a%2Fb"}) {
    http.send({.method = "PUT",
               .url = server.url() + target,
               .headers = {{"host", host}, {"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}},
               .body = "data",
               .signing = signing});
    const Received request = server.received().back();
    const std::string authorization = request.headers.at("authorization");
    const std::string signed_headers = field(authorization, "SignedHeaders");
    EXPECT_EQ(signed_headers, "host;x-amz-content-sha256;x-amz-date");
    EXPECT_EQ(field(authorization, "Signature"),
              expected_signature(request, signed_headers, "wJalr/K7+b", "s3"))
        << target;
  }
}

TEST(CurlHttp, GivesTheHeadersOfTheResponseAndNoMoreThanTheMostOfItsBody) {
  Loopback server;
  CurlHttp http;
  const HttpResponse response = http.send({.method = "GET", .url = server.url(), .most_bytes = 4});
  EXPECT_EQ(response.headers,
            (std::vector<std::pair<std::string, std::string>>{{"content-length", "4"}}));
  EXPECT_THROW(http.send({.method = "GET", .url = server.url(), .most_bytes = 3}), TransportError);
}

TEST(CurlHttp, KeepsTheConnectionAndForgetsTheOptionsOfTheRequestBefore) {
  Loopback server;
  CurlHttp http;
  EXPECT_EQ(http.send({.method = "PUT", .url = server.url(), .headers = {{"x-a", "1"}}}).body,
            "pong");
  EXPECT_EQ(http.send({.method = "GET", .url = server.url()}).status, 200);
  EXPECT_EQ(server.connections(), 1);
  const auto received = server.received();
  EXPECT_EQ(received.at(0).line, "PUT / HTTP/1.1");
  EXPECT_EQ(received.at(0).headers.at("content-length"), "0");
  EXPECT_EQ(received.at(1).line, "GET / HTTP/1.1");
  EXPECT_FALSE(received.at(1).headers.contains("x-a"));
  EXPECT_FALSE(received.at(1).headers.contains("authorization"));
}

TEST(CurlHttp, ARefusedConnectionIsATransportError) {
  std::string url;
  {
    Loopback server;
    url = server.url();
  }
  CurlHttp http;
  EXPECT_THROW(http.send({.method = "GET", .url = url}), TransportError);
}

}  // namespace
}  // namespace client
