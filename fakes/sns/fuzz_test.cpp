// Damaged requests of SNS's clients.
#include "fakes/form_fuzz_for_test.h"
#include "fakes/messaging.h"

namespace fakes {
namespace {

const char* const kSnsSeeds[] = {
    "CreateTopic&Name=u.fifo&Attributes.entry.1.key=FifoTopic&Attributes.entry.1.value=true&"
    "Tags.member.1.Key=k&Tags.member.1.Value=v",
    "Subscribe&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&Protocol=sqs&"
    "Endpoint=arn%3Aaws%3Asqs%3Aus-west-2%3A123456789012%3Aq&Attributes.entry.1.key=FilterPolicy&"
    "Attributes.entry.1.value=%7B%22a%22%3A%5B%7B%22numeric%22%3A%5B%22%3E%22%2C1%5D%7D%5D%7D",
    "Subscribe&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&Protocol=http&"
    "Endpoint=http%3A%2F%2F127.0.0.1%2Fa&ReturnSubscriptionArn=true",
    "Publish&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&Message=m&Subject=s&"
    "MessageAttributes.entry.1.Name=a&MessageAttributes.entry.1.Value.DataType=Number&"
    "MessageAttributes.entry.1.Value.StringValue=2",
    "Publish&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&MessageStructure=json&"
    "Message=%7B%22default%22%3A%22m%22%2C%22sqs%22%3A%22n%22%7D",
    "PublishBatch&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&"
    "PublishBatchRequestEntries.member.1.Id=1&PublishBatchRequestEntries.member.1.Message=m",
    "SetTopicAttributes&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&"
    "AttributeName=Policy&AttributeValue=%7B%22Statement%22%3A%5B%5D%7D",
    "GetTopicAttributes&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At",
    "ListSubscriptionsByTopic&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&NextToken=1",
    "ConfirmSubscription&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&Token=abc",
    "TagResource&ResourceArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&Tags.member.1.Key=k&"
    "Tags.member.1.Value=v",
    "UntagResource&ResourceArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3At&TagKeys.member.1=k",
    "ListTopics",
    "DeleteTopic&TopicArn=arn%3Aaws%3Asns%3Aus-west-2%3A123456789012%3Au.fifo"};

TEST(SnsFuzz, AnswersAnyFormWithWhatTheServiceHas) {
  fuzz_forms({.service = "sns",
              .version = "2010-03-31",
              .seeds = kSnsSeeds,
              .prepare =
                  [](TestBackend& t) {
                    Messaging& all = messaging(t.backend);
                    all.queues.create("q", {}, {});
                    all.topics.create("t", {}, {});
                  },
              .pause = 5s});
}

}  // namespace
}  // namespace fakes
