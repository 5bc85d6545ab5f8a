// Why a plan takes the time that it takes, next to another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// A stretch of the critical path.
struct PathLine {
  Cycles begin;
  Cycles end;
  std::string what;
};

/// A port or a link with the words that pass it.
struct BusyPlace {
  std::string place;  ///< "into PE (0,0)", "PE (1,0) to PE (0,0)"
  std::int64_t words = 0;
};

/// One plan: its times, the terms of the model, and what its end hangs on.
struct ExplainedPlan {
  CandidateAnswer candidate;
  std::int64_t depth = 0;       ///< messages of which each needs the one before
  std::int64_t distance = 0;    ///< hops of the farthest data
  std::int64_t energy = 0;      ///< hops of all words
  std::int64_t contention = 0;  ///< words through the busiest port
  std::int64_t links = 0;       ///< in use
  Cycles model;                 ///< max(contention, energy / links + distance) + depth (2 T_R + 1)
  BusyPlace busiest_port;
  BusyPlace busiest_link;
  std::vector<PathLine> path;
  Cycles path_end;                ///< of the critical path, in a fabric where messages do not meet
  Cycles path_words;              ///< of that: words that pass one after another
  Cycles path_hops;               ///< on links
  Cycles path_ramps;              ///< on ramps and to combine
  std::optional<Cycles> waiting;  ///< what the simulated time has beyond it
  BusyPlace path_busiest;         ///< the processor where most of the path's words pass
};

struct ExplainAnswer {
  Question question;
  std::optional<BoundAnswer> bound;
  ExplainedPlan chosen;
  std::optional<ExplainedPlan> other;  ///< the best of the others
  bool chosen_is_best = true;
  std::string why;   ///< one sentence: why the better one of the two is better
  std::string loss;  ///< a few sentences: what the other one loses, and where
};

/// How one dimension of a cluster spent the time of a plan.
struct ExplainedDimension {
  std::string name;
  Bytes bytes;      ///< that all NPUs sent on it
  Seconds busy;     ///< it sent
  Seconds before;   ///< it had nothing to send yet
  Seconds between;  ///< it waited for chunks
  Seconds after;    ///< it had nothing more to send
};

struct ExplainedChunks {
  CandidateAnswer candidate;
  std::vector<ExplainedDimension> dimensions;
  std::size_t critical = 0;  ///< the dimension that sends longest
};

/// Why a plan on a cluster takes its time: what its dimensions did meanwhile.
struct ClusterExplainAnswer {
  Question question;
  std::optional<BoundAnswer> bound;
  ExplainedChunks chosen;
  std::optional<ExplainedChunks> other;  ///< the best of the others
  bool chosen_is_best = true;
  std::string why;   ///< one sentence: why the better one of the two is better
  std::string loss;  ///< one sentence: what the other one loses, and where
};

}  // namespace muster
