// Accesses the values of a struct's members by the tables.
#pragma once

#include "api/table.h"

namespace api {

// A member's value in an object. Null if it is not given.
const void* get(const Member& member, const void* object);
// Creates the value of a member. A list or map counts as given from then on. The member must not be
// absent (kAbsent).
void* make(const Member& member, void* object);

// The member of this name in the model. Throws std::logic_error if there is none.
const Member& member_named(const Shape& structure, std::string_view name);

template <class Visit>  // (const void* element)
void each_element(const Shape& list, const void* at, Visit visit) {
  const auto view = list.list->view(at);
  for (std::size_t i = 0; i < view.count; ++i) visit(view.data + i * list.list->stride);
}

template <class Visit>  // (const std::string& key, const void* value)
void each_entry(const Shape& map, const void* at, Visit visit) {
  map.map->each(at, &visit, [](void* context, const std::string& key, const void* value) {
    (*static_cast<Visit*>(context))(key, value);
  });
}

// An object of a root shape whose type is only known at run time.
class Object {
 public:
  explicit Object(const Shape& shape) : shape_(shape), at_(::operator new(shape.root->size)) {
    shape.root->construct(at_);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    shape_.root->destroy(at_);
    ::operator delete(at_);
  }
  void* get() { return at_; }
  const void* get() const { return at_; }
  const Shape& shape() const { return shape_; }

 private:
  const Shape& shape_;
  void* const at_;
};

}  // namespace api
