// Whether AddressSanitizer is compiled in: GCC and clang report it in different ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define BASE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BASE_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef BASE_ADDRESS_SANITIZER
#define BASE_ADDRESS_SANITIZER 0
#endif
