// The signatures of a chunked upload to S3: each chunk's signature includes that of the previous
// chunk, and the first includes the signature of the request (S3 API reference, "Signature
// calculations for the authorization header: transferring payload in multiple chunks", also "…with
// trailing headers").
#pragma once

#include <string_view>

#include "fakes/authorisation/authentication.h"

namespace fakes::authorisation {

// Whether the request's body has signed chunks, according to its header x-amz-content-sha256.
bool has_signed_chunks(const api::HttpRequest& request);

// Whether all chunks and trailing headers of the body have the right signatures. True for a body
// that is not a valid aws-chunked body, which S3 itself refuses. `first` is the request's verified
// signature.
bool are_chunks_signed(const Received& received, const Signature& first, Signer& signer,
                       std::string_view secret);

}  // namespace fakes::authorisation
