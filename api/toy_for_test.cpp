#include "api/toy_for_test.h"

#include <cstddef>

namespace api {
namespace {

using namespace flags;

constexpr Shape kToyText{.name = "Text", .type = Type::kString, .max = 1000};
constexpr Shape kToyNumber{.name = "Number", .type = Type::kInteger, .min = 0, .max = 100};
constexpr Shape kToyBoolean{.name = "Boolean", .type = Type::kBoolean};
constexpr Shape kToyList{.name = "Toys",
                         .type = Type::kList,
                         .element = &kToyShape,
                         .item = "member",
                         .list = &kListOps<Toy>};
constexpr Shape kToyWords{.name = "Words",
                          .type = Type::kList,
                          .element = &kToyText,
                          .item = "member",
                          .list = &kListOps<std::string>};
constexpr Shape kToyTags{.name = "Tags",
                         .type = Type::kMap,
                         .element = &kToyText,
                         .key = &kToyText,
                         .item = "value",
                         .key_item = "key",
                         .map = &kMapOps<std::string>};

constexpr Member toy_member(std::string_view name, const Shape* shape, std::size_t offset,
                            std::uint8_t flags = 0, const Holder* holder = nullptr) {
  return {name,
          name,
          name,
          shape,
          holder,
          static_cast<std::uint32_t>(offset),
          Location::kBody,
          TimeFormat::kNone,
          Support::kRead,
          flags,
          {}};
}
constexpr Member absent_member(std::string_view name, Location location, Support support) {
  return {name, name, name, nullptr, nullptr, 0, location, TimeFormat::kNone, support, kAbsent, {}};
}
constexpr Member located(Member member, Location location) {
  member.location = location;
  return member;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
const Member kToyMembers[] = {
    toy_member("Name", &kToyText, offsetof(Toy, name)),
    toy_member("Color", &kToyText, offsetof(Toy, color), kAttribute),
    toy_member("Size", &kToyNumber, offsetof(Toy, size)),
    toy_member("Child", &kToyShape, offsetof(Toy, child), 0, &kHolder<Box<Toy>>),
    toy_member("Children", &kToyList, offsetof(Toy, children)),
    toy_member("Tags", &kToyTags, offsetof(Toy, tags)),
    toy_member("Words", &kToyWords, offsetof(Toy, words), kFlattened),
    absent_member("Hint", Location::kBody, Support::kIgnored),
    absent_member("Old", Location::kBody, Support::kRefused),
};
const Member kPutToyMembers[] = {
    located(toy_member("Name", &kToyText, offsetof(PutToyRequest, name), kRequired),
            Location::kUri),
    located(toy_member("limit", &kToyNumber, offsetof(PutToyRequest, limit)), Location::kQuery),
    located(toy_member("x-quick", &kToyBoolean, offsetof(PutToyRequest, quick)), Location::kHeader),
    located(toy_member("Toy", &kToyShape, offsetof(PutToyRequest, toy), 0, &kHolder<Box<Toy>>),
            Location::kPayload),
    absent_member("hint", Location::kQuery, Support::kIgnored),
    absent_member("old", Location::kQuery, Support::kRefused),
    absent_member("x-hint", Location::kHeader, Support::kIgnored),
    absent_member("x-old", Location::kHeader, Support::kRefused),
    absent_member("x-old-", Location::kHeaders, Support::kRefused),
};
#pragma GCC diagnostic pop
const Shape kPutToyShape{.name = "PutToyRequest",
                         .type = Type::kStructure,
                         .members = kPutToyMembers,
                         .root = &kRootOps<PutToyRequest>};
const Operation kToyOperations[] = {{"PutToy",
                                     {&kPutToyShape, "", "", 3},
                                     {&kToyShape, "Toy", "", -1},
                                     "PUT",
                                     "/toys/{Name}",
                                     "",
                                     200}};

}  // namespace

const Shape kToyShape{
    .name = "Toy", .type = Type::kStructure, .members = kToyMembers, .root = &kRootOps<Toy>};
const Service kToyJson{"toy", Protocol::kRestJson, "", "", "", "1.1", kToyOperations};
const Service kToyXml{"toy", Protocol::kRestXml, "", "", "", "", kToyOperations};

}  // namespace api
