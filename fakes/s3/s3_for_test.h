// For tests: sends requests to S3 without a socket.
#pragma once

#include "fakes/backend_for_test.h"

namespace fakes {

struct TestS3 : TestBackend {
  // The body of CreateBucket in the backend's region.
  static constexpr const char* kHere =
      "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
      "</CreateBucketConfiguration>";
  struct Asked {
    std::string method, target, body = {};
    Fields headers = {};
  };
  static Request request(const Asked& asked) {
    Request request{boost::beast::http::string_to_verb(asked.method), asked.target, 11};
    request.set("Host", "s3.us-west-2.amazonaws.com");
    request.set("Authorization",
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/s3/aws4_request, "
                "SignedHeaders=host, Signature=00");
    for (const auto& [name, value] : asked.headers) {
      if (value.empty())
        request.erase(name);
      else
        request.set(name, value);
    }
    request.body() = asked.body;
    return request;
  }
  // Sends the request, and copies a body that the server would stream into the answer.
  Answer s3(const Asked& asked) const {
    Answer answer;
    Reply reply = api(request(asked));
    answer.response = std::move(reply.response);
    delay = reply.delay;
    if (reply.body && asked.method != "HEAD") {
      answer.response.body().resize(reply.body->size);
      EXPECT_TRUE(reply.body->read(0, answer.response.body()));
    }
    answer.xml.load_string(answer.body().c_str());
    return answer;
  }
  std::string code(const Asked& asked) const { return s3(asked).at("Code"); }
  mutable sim::Duration delay{};
};

}  // namespace fakes
