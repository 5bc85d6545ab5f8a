// What a run of kernels found: races and misuse, each with the call that it was found at.
#pragma once

#include <stand_in/bridge.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "backend/torus/noc/flit_network.h"

namespace muster::torus {

struct Finding {
  std::string kind;
  std::string core;  ///< "core 3-2, dataflow 0"
  std::string file;
  int line = 0;
  Cycle cycle = 0;
  std::string message;
  std::int64_t times = 1;  ///< how often it was found there
};

/// The first finding of every kind and line.
class Findings {
 public:
  void add(Finding finding);
  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
  std::map<std::tuple<std::string, std::string, int>, std::size_t> index_;
};

/// The name of a file without its folder.
std::string file_name(const muster_stand_in::Site& site);
std::string site_text(const muster_stand_in::Site& site);

}  // namespace muster::torus
