// How a command ends that has thrown: what is said, and the exit code.
#pragma once

#include <exception>
#include <string>

namespace muster {

struct Failure {
  int exit_code = 0;
  std::string message;
};

Failure failure_of(const std::exception_ptr& error);

/// One line on stderr, whatever the message holds.
void complain(const std::string& message);

}  // namespace muster
