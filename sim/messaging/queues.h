// Amazon SQS: queues that hide a message while a receiver works on it (SQS Developer Guide). All
// times are virtual. Messages leave a queue in the order of their arrival, which AWS promises only
// for FIFO queues.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/messaging/ids.h"
#include "sim/messaging/queue.h"

namespace sim::messaging {

// The answer to a sender.
struct SentMessage {
  std::string id, sequence;
};

// A client's request for messages.
struct Receive {
  std::size_t most = 1;
  std::optional<Duration> visibility = {};
};

// Owns the queues of an account. fakes/sqs parses requests and calls it. Functions throw ApiError
// with the codes of the query protocol: AWS.SimpleQueueService.NonExistentQueue for an unknown
// queue, and the further codes in their comments.
class Queues {
 public:
  // `arn_prefix` is "arn:aws:sqs:us-west-2:123456789012:". The simulation must outlive this object.
  Queues(Simulation& simulation, const Streams& streams, std::string arn_prefix);
  ~Queues();

  // Makes a queue, or returns the existing one if it has the same attributes, even if its
  // dead-letter queue was deleted since. Throws QueueAlreadyExists if they differ, and
  // QueueDeletedRecently within a minute after a deletion.
  const Queue& create(const std::string& name, const std::map<std::string, std::string>& attributes,
                      const std::map<std::string, std::string>& tags);
  void remove(const std::string& name);
  // Deletes all messages. Throws PurgeQueueInProgress within a minute after the last call.
  void purge(const std::string& name);
  void set_attributes(const std::string& name,
                      const std::map<std::string, std::string>& attributes);
  void set_tags(const std::string& name, std::map<std::string, std::string> tags);

  const std::map<std::string, Queue>& all() const { return queues_; }
  const Queue& queue(const std::string& name) const;
  // Null if there is no queue with this ARN.
  const Queue* find_arn(const std::string& arn) const;
  // Settings, and counts of messages by state.
  std::map<std::string, std::string> attributes(const std::string& name);

  // Throws InvalidMessageContents, InvalidParameterValue and MissingParameter.
  SentMessage send(const std::string& name, NewMessage message);
  // Takes messages that are visible now, in order. Throws OverLimit.
  std::vector<Received> receive(const std::string& name, const Receive& asked);
  // Long polling: calls `receiver.take` as soon as there are messages, or without messages when the
  // time is over.
  void wait(const std::string& name, Receiver receiver, Duration longest);
  // Deletes a received message. Throws ReceiptHandleIsInvalid.
  void acknowledge(const std::string& name, const std::string& receipt_handle);
  // Hides a received message for this time from now. Throws MessageNotInflight and
  // ReceiptHandleIsInvalid.
  void set_visibility(const std::string& name, const std::string& receipt_handle,
                      Duration visibility);

 private:
  // Throws InvalidParameterValue for a dead-letter queue that does not exist or has another type.
  void check_redrive(const QueueSettings& settings) const;
  Queue& own(const std::string& name);
  void drop_expired(Queue& queue);
  std::vector<Received> take(Queue& queue, const Receive& asked);
  Received hand_out(const Queue& queue, std::uint64_t number, Message& message,
                    Duration visibility);
  void to_dead_letters(Queue& queue, std::uint64_t number);
  void check(const Queue& queue, const NewMessage& message) const;
  // Answers waiting receivers, and schedules the next call for when a message becomes visible.
  void serve_receivers(Queue& queue);
  void wake_at_next(Queue& queue);
  void end_wait(const std::string& name, std::list<Receiver>::iterator receiver);
  Message* of_handle(Queue& queue, const std::string& receipt_handle, std::uint64_t& number,
                     bool& newest);

  Simulation& simulation_;
  Ids ids_;
  std::string arn_prefix_;
  std::map<std::string, Queue> queues_;
  std::map<std::string, Time> deleted_;
  std::uint64_t arrivals_ = 0;
};

// The prefix of the error codes of SQS.
inline constexpr const char* kSqsError = "AWS.SimpleQueueService.";

}  // namespace sim::messaging
