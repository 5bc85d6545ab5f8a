// Why a plan takes the time that it takes, next to another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "result/answer.h"

namespace muster {

/// A port or a link with the words that pass it.
struct BusyPlace {
  std::string place;  ///< "into PE (0,0)", "PE (1,0) to PE (0,0)"
  std::int64_t words = 0;
};

/// A number of a plan, or its busiest place of some kind.
struct ExplainedFigure {
  using Value = std::variant<std::int64_t, Seconds, BusyPlace>;
  std::string key;             ///< in JSON: "path_hops"
  std::string term;            ///< in tables: "  hops"
  std::optional<Value> value;  ///< nothing: not known
  std::string meaning = {};    ///< with the unit; of a place: none
  int row = 0;                 ///< in the table, higher ones stand further down, equal ones as they are listed
};

/// How something that all nodes share spent the time of a plan: a dimension of a cluster, links of one kind.
struct ExplainedResource {
  std::string name;
  Bytes bytes;   ///< that all of it carried
  Seconds busy;  ///< that it carried something; of several, the busiest one
  struct Idle {
    Seconds before;   ///< it had nothing to carry yet
    Seconds between;  ///< it waited
    Seconds after;    ///< it had nothing more to carry
  };
  std::optional<Idle> idle = {};  ///< nothing: not known
  std::string busiest = {};       ///< of several: which one that is
};

/// One plan: its times, its numbers, and what its end hangs on. What they are is the family's matter.
struct ExplainedPlan {
  CandidateAnswer candidate;
  std::vector<ExplainedFigure> figures = {};
  std::vector<ExplainedResource> resources = {};
  std::size_t critical = 0;  ///< the resource that is busy longest
  std::vector<PathLine> path = {};
  bool path_in_picoseconds = false;  ///< of a machine without a clock; else in cycles
  BusyPlace path_busiest = {};       ///< the processor where most of the path's words pass, where these are counted
};

/// Why a plan takes its time, next to the best of the others.
struct ExplainAnswer {
  Question question;
  std::optional<BoundAnswer> bound;
  ExplainedPlan chosen;
  std::optional<ExplainedPlan> other;  ///< the best of the others
  bool chosen_is_best = true;
  std::string resource = "resource";  ///< what ExplainedPlan::resources are: "dimension"
  std::string bottleneck = {};        ///< one sentence: what decides the time of `chosen`; empty where tables say it
  std::string why = {};               ///< one sentence: why the better one of the two is better
  std::string loss = {};              ///< a few sentences: what the other one loses, and where
};

}  // namespace muster
