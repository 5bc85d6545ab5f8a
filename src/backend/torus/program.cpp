#include "backend/torus/program.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/counted.h"
#include "base/index.h"

namespace muster::torus {
namespace {

/// Which calls a core makes, whatever their numbers are.
std::vector<std::size_t> kinds_of(const Core& core) {
  std::vector<std::size_t> kinds;
  for (const auto& calls : core.calls) {
    for (const Call& call : calls) kinds.push_back(call.index());
    kinds.push_back(std::variant_size_v<Call>);
  }
  return kinds;
}

std::int64_t classes_of(const TorusProgram& program) {
  std::set<std::vector<std::size_t>> classes;
  for (const Core& core : program.cores) classes.insert(kinds_of(core));
  return std::ssize(classes);
}

/// Bytes between the pieces of a core's vectors.
std::int64_t padding_of(const TorusProgram& program) {
  std::int64_t padding = 0;
  for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
    const auto& pieces = program.pieces.of(buffer);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (program.memory.of(buffer, static_cast<std::int32_t>(i)) < 0) continue;
      padding += whole_tiles(pieces[i].bytes(), program.tile_bytes) - pieces[i].bytes();
    }
  }
  return padding;
}

}  // namespace

std::int32_t most_counters(const TorusProgram& program) {
  std::int32_t most = 0;
  for (const Core& core : program.cores) most = std::max(most, core.counters);
  return most;
}

std::int32_t counter_words(const TorusProgram& program) {
  return std::max(0, most_counters(program) - program.torus().semaphores);
}

std::string TorusProgram::summary() const {
  std::int64_t calls = 0;
  for (const Core& core : cores) {
    for (const auto& list : core.calls) calls += std::ssize(list);
  }
  return fmt::format(
      "{}, {} in {}, {} at most\nmemory of a tile: {}, of which {} are padding to whole tiles of {}\nNoC of dataflow "
      "processors: {} and {}{}\n",
      counted(std::ssize(cores), "core"), counted(calls, "call"), counted(classes_of(*this), "class", "classes"),
      counted(most_counters(*this), "counter"), to_text(Bytes(memory_used)), to_text(Bytes(padding_of(*this))),
      to_text(Bytes(tile_bytes)), noc_of[0], noc_of[1], lands_apart ? "" : "; cores ask before they send");
}

std::vector<int> TorusProgram::channels_sent(NodeId node) const {
  std::vector<int> sent;
  if (at(node) >= cores.size()) return sent;
  for (const auto& calls : cores[at(node)].calls) {
    for (const Call& call : calls) {
      if (const auto* const increment = std::get_if<Increment>(&call)) sent.push_back(increment->counter);
      if (const auto* const set = std::get_if<SetEverywhere>(&call)) sent.push_back(set->counter);
    }
  }
  return sent;
}

ProgramFacts TorusProgram::facts() const {
  ProgramFacts facts{.machine = machine, .arithmetic = arithmetic, .ranks = {}};
  for (NodeId node = 0; node < std::ssize(cores); ++node) {
    const auto& lists = cores[at(node)].calls;
    if (std::any_of(lists.begin(), lists.end(), [](const auto& calls) { return !calls.empty(); }))
      facts.ranks.push_back(node);
  }
  if (facts.ranks.empty()) {
    facts.ranks.resize(cores.size());
    std::iota(facts.ranks.begin(), facts.ranks.end(), 0);
  }
  facts.words = extent[0];
  facts.in_place = std::any_of(contracts.begin(), contracts.end(), [](const Contract& c) { return c.from == c.to; });
  facts.classes = classes_of(*this);
  facts.channels = most_counters(*this);
  return facts;
}

}  // namespace muster::torus
