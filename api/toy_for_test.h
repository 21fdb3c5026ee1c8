// A small handwritten service for tests. It has features that the tables of api/roundtrip lack:
// recursive shapes in every notation, and ignored and refused members in every place of a message.
#pragma once

#include "api/refusal.h"
#include "api/table.h"

namespace api {

struct Toy {
  Opt<std::string> name;
  Opt<std::string> color;  // an XML attribute
  Opt<std::int64_t> size;
  Box<Toy> child;
  List<Toy> children;
  Map<std::string> tags;
  List<std::string> words;  // flattened
};
extern const Shape kToyShape;

// PUT /toys/{Name}?limit=…: the body is the toy.
struct PutToyRequest {
  Opt<std::string> name;
  Opt<std::int64_t> limit;
  Opt<bool> quick;  // a header
  Box<Toy> toy;
};
extern const Service kToyJson, kToyXml;

// The Refusal that `act` throws; a Refusal with a message about that if it throws none.
template <class Act>
Refusal refusal_of(Act act) {
  try {
    act();
  } catch (const Refusal& refusal) {
    return refusal;
  }
  return {Refusal::Why::kMalformed, "not refused", "not refused", "not refused"};
}

}  // namespace api
