// What every function of the library throws.
#pragma once

#include <stdexcept>

namespace muster::library {

/// Bad input: what() is one line that names the value and a remedy.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::library
