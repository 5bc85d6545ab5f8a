// For tests only: a network-on-chip like Wormhole's, in any shape.
#pragma once

#include "machine/torus.h"

namespace muster {

/// 10x12 tiles with 8x9 workers, and DRAM banks in the two columns between them.
inline Machine test_wormhole() {
  Torus torus;
  torus.width = 10;
  torus.height = 12;
  torus.worker_columns = {1, 2, 3, 4, 6, 7, 8, 9};
  torus.worker_rows = {1, 2, 3, 4, 5, 7, 8, 9, 10};
  torus.clock = Hertz(1e9);
  torus.flit = Bytes(32);
  torus.packet = Bytes(8192);
  torus.hop_latency = Cycles(9);
  torus.interface_latency = Cycles(5);
  torus.input_buffer = Bytes(2048);
  torus.virtual_channels = 16;
  torus.interface = {.memory_latency = Cycles(14),
                     .acknowledge = Cycles(12),
                     .write_rate = 31.27,
                     .read_rate = 28.8,
                     .reservation = Cycles(8),
                     .reservation_per_hop = Cycles(16)};
  torus.issue.write = torus.issue.atomic = torus.issue.multicast = Cycles(22);
  torus.issue.read = Cycles(23);
  torus.issue.barrier = Cycles(16);
  torus.issue.bank = Cycles(18);
  torus.issue.token = Cycles(12);
  torus.compute = {.tile_elements = 1024,
                   .start = Cycles(40),
                   .tile_16bit = Cycles(64),
                   .tile_32bit = Cycles(128),
                   .word = Cycles(30)};
  torus.atomic_latency = Cycles(5);
  torus.memory = Bytes(1464 * 1024);
  torus.dram.banks = {{0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11}, {5, 2}, {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}};
  torus.dram.controllers = {{{0, 0}, {0, 1}, {0, 11}}, {{0, 5}, {0, 6}, {0, 7}}, {{5, 0}, {5, 1}, {5, 11}},
                            {{5, 2}, {5, 9}, {5, 10}}, {{5, 3}, {5, 4}, {5, 8}}, {{5, 5}, {5, 6}, {5, 7}}};
  torus.dram.rate = 22.2;
  torus.dram.interface_rate = 28.8;
  torus.dram.latency = Cycles(100);
  torus.dram.burst = Bytes(128);
  return {.name = "test-wormhole", .summary = "a network-on-chip", .network = torus};
}

inline Machine test_wormhole(std::int64_t ranks) { return with_workers(test_wormhole(), ranks); }
inline Machine test_wormhole(std::int64_t columns, std::int64_t rows) {
  return with_worker_grid(test_wormhole(), columns, rows);
}

/// Every tile a worker, and no DRAM.
inline Machine test_ideal_torus(std::int32_t side) {
  Machine machine = test_wormhole();
  Torus& torus = *as<Torus>(machine);
  torus.width = torus.height = side;
  torus.worker_columns.clear();
  for (std::int32_t i = 0; i < side; ++i) torus.worker_columns.push_back(i);
  torus.worker_rows = torus.worker_columns;
  torus.dram = {};
  return machine;
}

}  // namespace muster
