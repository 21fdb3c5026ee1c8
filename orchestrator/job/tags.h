// The tags by which instances that never meet exchange their progress. docs/spotrun.md shows the
// meaning of each in a volume hop.
#pragma once

#include <string>

namespace spotrun::tags {

// ---- on a volume with the job's tag
//
// Time and instance, changed before every attachment. A snapshot has all of the volume's data as
// long as this tag equals its own.
inline constexpr char kGeneration[] = "spotrun:last-attached";
inline constexpr char kPrepared[] = "spotrun:prepared";             // since when
inline constexpr char kDone[] = "spotrun:done";                     // since when
inline constexpr char kFailed[] = "spotrun:failed";                 // why
inline constexpr char kPrepareFailed[] = "spotrun:prepare-failed";  // why

// ---- on it while `submit --strategy` runs the job
inline constexpr char kStrategySince[] = "spotrun:strategy-since";  // the deadline counts from here
// Since when which instance's trainer runs, as "TIME INSTANCE"; empty while none does.
inline constexpr char kTrainsSince[] = "spotrun:trains-since";
// And the instance type: how long trainers on it ran that have saved since then, as "1234.567s".
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
// On a new volume and a snapshot: the old volume's generation that they have.
inline constexpr char kHopGeneration[] = "spotrun:hop-generation";

// ---- on instances
inline constexpr char kPreparesVolume[] = "spotrun:prepares-volume";  // volume's ID
inline constexpr char kRentedFor[] = "spotrun:rented-for";            // the job's volume tag
inline constexpr char kMaxPrice[] = "spotrun:max-price";              // USD an hour; spot only
inline constexpr char kFleet[] = "aws:ec2spot:fleet-request-id";      // AWS's own

}  // namespace spotrun::tags
