// Where the time of a plan goes, compared with another plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "result/answer.h"

namespace muster {

/// A port or a link, and the number of words through it.
struct BusyResource {
  std::string name;  ///< "into PE (0,0)", "PE (1,0) to PE (0,0)"
  std::int64_t words = 0;
};

/// A number of a plan, or its busiest resource of some kind.
struct ExplainedFigure {
  using Value = std::variant<std::int64_t, Seconds, BusyResource>;
  std::string key;             ///< in JSON: "path_hops"
  std::string term;            ///< in tables: "  hops"
  std::optional<Value> value;  ///< nothing: not known
  std::string meaning = {};    ///< with the unit; of a resource: none
  int row = 0;                 ///< position in the table: higher ones further down, equal ones in list order
};

/// How a shared resource spent the time of a plan: a dimension of a cluster, all links of one kind.
struct ExplainedResource {
  std::string name;
  Bytes bytes;   ///< total carried
  Seconds busy;  ///< busy time; of several, that of the busiest one
  struct Idle {
    Seconds before;   ///< it had nothing to carry yet
    Seconds between;  ///< it waited
    Seconds after;    ///< it had nothing more to carry
  };
  std::optional<Idle> idle = {};  ///< nothing: not known
  std::string busiest = {};       ///< of several: which one that is
};

/// One plan: its times, its numbers, and its critical path. Their meaning depends on the family.
struct ExplainedPlan {
  CandidateAnswer candidate;
  std::vector<ExplainedFigure> figures = {};
  std::vector<ExplainedResource> resources = {};
  std::size_t critical = 0;  ///< the busiest resource
  std::vector<PathLine> path = {};
  bool path_in_picoseconds = false;  ///< of a machine without a clock; else in cycles
  BusyResource path_busiest = {};    ///< the processor that most words of the path go through, if these are counted
};

/// Where the time of a plan goes, compared with the best of the others.
struct ExplainAnswer {
  Question question;
  std::optional<BoundAnswer> bound;
  ExplainedPlan chosen;
  std::optional<ExplainedPlan> other;  ///< the best of the others
  bool chosen_is_best = true;
  std::string resource = "resource";  ///< what ExplainedPlan::resources are: "dimension"
  std::string bottleneck = {};        ///< one sentence: the bottleneck of `chosen`; empty if the tables show it
  std::string why = {};               ///< one sentence: why the better of the two is better
  std::string loss = {};              ///< a few sentences: how much the other one loses, and where
};

}  // namespace muster
