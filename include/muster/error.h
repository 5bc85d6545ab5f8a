// What every function of the library throws.
#pragma once

#include <stdexcept>

namespace muster::library {

/// Something was asked that cannot be answered: what() is one line that names the value and the way out.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace muster::library
