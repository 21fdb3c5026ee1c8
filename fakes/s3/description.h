// Converts an object's metadata (content type, storage class, user metadata and so on) between the
// API's structs and the store.
#pragma once

#include "api/types.h"
#include "base/text/lower_case.h"
#include "sim/objects/store.h"

namespace fakes::s3 {

// Reads the metadata of any request that creates an object. Throws ApiError InvalidStorageClass or
// MetadataTooLarge.
template <class Request>
sim::objects::Description description_of(const Request& r);
void check(const sim::objects::Description& description);

bool is_archived(const sim::objects::Object& object);
// Throws ApiError ObjectNotInActiveTierError if the source of a copy is archived.
void check_copied(const sim::objects::Object& source);

template <class Response>
void show(Response& out, const sim::objects::Description& d) {
  out.content_type = d.content_type.value_or("binary/octet-stream");
  out.cache_control = d.cache_control;
  out.content_disposition = d.content_disposition;
  out.content_encoding = d.content_encoding;
  out.content_language = d.content_language;
  out.website_redirect_location = d.website_redirect_location;
  if (d.expires) out.expires = api::Timestamp(d.expires->time_since_epoch());
  for (const auto& [key, value] : d.metadata) out.metadata[key] = value;
  if (d.storage_class != "STANDARD") out.storage_class = d.storage_class;
}

template <class Response>
void show_encryption(Response& out, const sim::objects::Description& d) {
  out.server_side_encryption = d.encryption.value_or("AES256");
  out.ssekms_key_id = d.key;
  out.bucket_key_enabled = d.bucket_key;
}

template <class Request>
sim::objects::Description description_of(const Request& r) {
  sim::objects::Description d{.content_type = r.content_type,
                              .cache_control = r.cache_control,
                              .content_disposition = r.content_disposition,
                              .content_encoding = r.content_encoding,
                              .content_language = r.content_language,
                              .website_redirect_location = r.website_redirect_location,
                              .encryption = r.server_side_encryption,
                              .key = r.ssekms_key_id,
                              .bucket_key = r.bucket_key_enabled,
                              .metadata = {}};
  for (const auto& [key, value] : r.metadata) d.metadata[base::lower_case(key)] = value;
  if (r.expires) d.expires = sim::Time(r.expires->time_since_epoch());
  if (r.storage_class) d.storage_class = *r.storage_class;
  check(d);
  return d;
}

}  // namespace fakes::s3
