// For tests only: what bad input is told.
#pragma once

#include <string>

#include "base/error.h"

namespace muster {

/// The line that a call is rejected with, or "accepted".
template <class Call>
std::string rejection(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace muster
