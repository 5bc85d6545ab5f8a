// Small MSCCL algorithms for tests.
#pragma once

#include <utility>
#include <vector>

#include "backend/cluster/msccl/algo.h"
#include "base/index.h"

namespace muster::msccl {

inline Step send_step(std::int32_t chunk, std::int32_t count = 1) {
  return {.type = Type::send, .source = {Buffer::input, chunk}, .count = count, .dependency = {}};
}
inline Step receive_step(std::int32_t chunk, std::int32_t count = 1) {
  return {.type = Type::receive, .destination = {Buffer::input, chunk}, .count = count, .dependency = {}};
}
inline Step nop_step(const Dependency& dependency) { return {.type = Type::nop, .dependency = dependency}; }

/// GPUs with one thread block each, which sends to the next and receives from the previous one, round and round: an allreduce in
/// place, or what is made of it.
inline Algo around(std::int32_t gpus, std::int32_t chunks, const std::vector<Step>& steps) {
  Algo algo{.name = "around", .in_place = true, .chunks_per_loop = chunks, .gpus = {}};
  for (std::int32_t g = 0; g < gpus; ++g) {
    ThreadBlock block{.send = (g + 1) % gpus, .receive = (g + gpus - 1) % gpus, .steps = steps};
    algo.gpus.push_back({.input_chunks = chunks, .blocks = {std::move(block)}});
  }
  return algo;
}

/// GPU 0 does `first`, and GPU 1 `second`, in one thread block that both sends and receives.
inline Algo pair_of(std::int32_t chunks, std::vector<Step> first, std::vector<Step> second) {
  Algo algo = around(2, chunks, {});
  algo.gpus[0].blocks[0].steps = std::move(first);
  algo.gpus[1].blocks[0].steps = std::move(second);
  return algo;
}

}  // namespace muster::msccl
