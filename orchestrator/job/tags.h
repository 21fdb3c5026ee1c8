// The tags by which instances that never meet exchange their progress. docs/spotrun.md shows the
// meaning of each in a volume hop.
#pragma once

#include <string>

namespace spotrun::tags {

// ---- on a volume with the job's tag
//
// The time and the instance of the last attachment, written before the attachment. If a snapshot
// has the same value, it has all of the volume's data.
inline constexpr char kGeneration[] = "spotrun:last-attached";
inline constexpr char kPrepared[] = "spotrun:prepared";             // the time
inline constexpr char kDone[] = "spotrun:done";                     // the time
inline constexpr char kFailed[] = "spotrun:failed";                 // the reason
inline constexpr char kPrepareFailed[] = "spotrun:prepare-failed";  // the reason

// ---- on it while `submit --strategy` runs the job
inline constexpr char kStrategySince[] = "spotrun:strategy-since";  // the deadline counts from here
// "TIME INSTANCE": the start and the instance of the running trainer. Empty if none runs.
inline constexpr char kTrainsSince[] = "spotrun:trains-since";
// With an instance type appended: how long trainers on that type ran and have saved, as
// "1234.567s".
inline constexpr char kTrained[] = "spotrun:trained:";
inline constexpr char kSaved[] = "spotrun:saved";  // time of its last save

// ---- while a hop is not over
inline constexpr char kHopOf[] = "spotrun:hop-of";  // on a new volume: the old one's ID
// On a snapshot: the old volume's ID. Snapshots are found by their description, because tags can be
// visible late.
inline constexpr char kSnapshotOf[] = "spotrun:snapshot-of";
inline std::string hop_description(const std::string& old_id) {
  return "spotrun: hop of " + old_id;
}
// On a new volume and a snapshot: the generation of the old volume's content that they have.
inline constexpr char kHopGeneration[] = "spotrun:hop-generation";

// ---- on instances
inline constexpr char kPreparesVolume[] = "spotrun:prepares-volume";  // volume's ID
inline constexpr char kRentedFor[] = "spotrun:rented-for";            // the job's volume tag
inline constexpr char kMaxPrice[] = "spotrun:max-price";              // USD an hour; spot only
inline constexpr char kFleet[] = "aws:ec2spot:fleet-request-id";      // AWS's own

}  // namespace spotrun::tags
