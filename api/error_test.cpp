#include "api/error.h"

#include <gtest/gtest.h>

#include "api/autoscaling.h"
#include "api/dynamodb.h"
#include "api/ec2.h"
#include "api/lambda.h"
#include "api/logs.h"
#include "api/s3.h"

namespace api {
namespace {

using Why = Refusal::Why;

void expect_words(const Service& service, const Refusal& refusal, std::string_view code,
                  std::string_view message) {
  const Error error = error_of(service, refusal);
  EXPECT_EQ(error.code, code);
  EXPECT_EQ(error.message, message);
  EXPECT_EQ(error.status, 400);
}

TEST(ApiError, Ec2sMessages) {
  const auto expect = [](const Refusal& refusal, std::string_view code, std::string_view message) {
    expect_words(ec2::kService, refusal, code, message);
  };
  expect({Why::kMissing, "VolumeId"}, "MissingParameter",
         "The request must contain the parameter VolumeId");
  expect({Why::kUnknown, "Filter.1.Nam"}, "UnknownParameter",
         "The parameter Filter.1.Nam is not recognized");
  expect({Why::kUnsupported, "CpuOptions"}, "UnsupportedOperation",
         "The parameter CpuOptions is not supported by this simulated AWS.");
  expect({Why::kType, "Size", "big", "an integer"}, "InvalidParameterValue",
         "Value (big) for parameter Size is invalid. Expected an integer.");
  expect({Why::kEnum, "VolumeType", "gp9", "gp2, gp3"}, "InvalidParameterValue",
         "Value (gp9) for parameter VolumeType is invalid.");
  expect({Why::kMin, "MaxResults", "1", "5"}, "InvalidParameterValue",
         "Value (1) for parameter MaxResults is invalid. Expected at least 5.");
  expect({Why::kMax, "MaxResults", "9", "5"}, "InvalidParameterValue",
         "Value (9) for parameter MaxResults is invalid. Expected at most 5.");
  expect({Why::kMalformed, "", "", "A parameter has no name."}, "MalformedQueryString",
         "A parameter has no name.");
}

TEST(ApiError, MessagesOfTheCommonFrontEnd) {
  const Refusal missing(Why::kMissing, "tableName");
  const char* const message =
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member "
      "must not be null";
  expect_words(dynamodb::kService, missing, "ValidationException", message);
  expect_words(lambda::kService, missing, "ValidationException", message);
  expect_words(autoscaling::kService, missing, "ValidationError", message);
  expect_words(dynamodb::kService, {Why::kEnum, "a", "X", "B, N, S"}, "ValidationException",
               "1 validation error detected: Value 'X' at 'a' failed to satisfy constraint: Member "
               "must satisfy enum value set: [B, N, S]");
  expect_words(dynamodb::kService, {Why::kMin, "limit", "0", "1"}, "ValidationException",
               "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
               "Member must have value greater than or equal to 1");
  expect_words(logs::kService, {Why::kLong, "logGroupName", "g", "512"},
               "InvalidParameterException",
               "1 validation error detected: Value 'g' at 'logGroupName' failed to satisfy "
               "constraint: Member must have length less than or equal to 512");
  expect_words(dynamodb::kService, {Why::kType, "a.b", "1", "a string"}, "SerializationException",
               "a.b: '1' is not a string");
  expect_words(dynamodb::kService, {Why::kUnknown, "a.B", "B", "C, D"}, "ValidationException",
               "Unknown parameter in input: \"a.B\", must be one of: C, D");
  expect_words(autoscaling::kService, {Why::kUnknown, "X"}, "ValidationError",
               "Unknown parameter in input: \"X\"");
  expect_words(autoscaling::kService, {Why::kMalformed, "", "", "Why."}, "MalformedInput", "Why.");
  expect_words(dynamodb::kService, {Why::kUnsupported, "Old"}, "UnsupportedOperation",
               "The parameter Old is not supported by this simulated AWS.");
}

TEST(ApiError, S3sMessages) {
  expect_words(s3::kService, {Why::kMalformed, "", "", "No XML."}, "MalformedXML", "No XML.");
  expect_words(s3::kService, {Why::kUnknown, "Delete.X"}, "MalformedXML",
               "The XML has no element Delete.X.");
  expect_words(s3::kService, {Why::kMissing, "key"}, "InvalidRequest",
               "Missing required parameter key.");
  expect_words(s3::kService, {Why::kMax, "max-keys", "9", "5"}, "InvalidArgument",
               "'9' at max-keys is invalid: expected at most 5.");
  expect_words(s3::kService, {Why::kType, "max-keys", "x", "an integer"}, "InvalidArgument",
               "Provided max-keys not an integer or within integer range");
}

TEST(ApiError, S3DoesNotImplementWhatIsNotSupported) {
  const Error error = error_of(s3::kService, {Why::kUnsupported, "x-amz-mfa"});
  EXPECT_EQ(error.code, "NotImplemented");
  EXPECT_EQ(error.status, 501);
  EXPECT_NE(error.message.find("x-amz-mfa"), std::string::npos);
}

TEST(ApiError, AClientReadsWhatAServiceWrites) {
  const Error error{"Some.Code", "It <is> \"wrong\" & ü.", 409};
  for (const Service* const service : {&ec2::kService, &autoscaling::kService, &s3::kService,
                                       &dynamodb::kService, &lambda::kService}) {
    const HttpResponse response = write_error(*service, error, "r-1");
    EXPECT_EQ(response.status, 409);
    EXPECT_EQ(*response.headers.find(request_id_header(*service)), "r-1");
    const Error again = read_error(*service, response);
    EXPECT_EQ(again.code, error.code) << service->name;
    EXPECT_EQ(again.message, error.message) << service->name;
    EXPECT_EQ(again.status, 409);
  }
}

TEST(ApiError, ABodyThatIsNoErrorHasNoCode) {
  for (const Service* const service : {&ec2::kService, &s3::kService, &dynamodb::kService})
    for (const char* body : {"", "Bad Gateway", "<html><body>x</body></html>", "[]", "{}", "{",
                             "{\"__type\":1}", "<Response><Errors/></Response>"}) {
      const HttpResponse response{.status = 502, .headers = {}, .body = body};
      EXPECT_EQ(read_error(*service, response).code, "") << body;
      EXPECT_EQ(read_error(*service, response).status, 502);
    }
}

TEST(ApiError, ATypeMayHaveANamespaceOrBeAHeader) {
  HttpResponse response{.status = 400, .headers = {}, .body = {}};
  response.body = R"({"__type":"com.amazonaws.sagemaker#ResourceNotFound","Message":"m"})";
  EXPECT_EQ(read_error(dynamodb::kService, response).code, "ResourceNotFound");
  EXPECT_EQ(read_error(dynamodb::kService, response).message, "m");
  response.body = R"({"message":"m"})";
  response.headers.add("X-Amzn-ErrorType", "ResourceNotFoundException:http://internal/");
  EXPECT_EQ(read_error(lambda::kService, response).code, "ResourceNotFoundException");
}

}  // namespace
}  // namespace api
