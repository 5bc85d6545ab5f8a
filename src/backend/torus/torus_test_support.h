// A small chip for tests: every tile is a worker unless columns or rows are left out.
#pragma once

#include "machine/torus.h"

namespace muster::torus {

inline Torus small_chip(std::int32_t width, std::int32_t height) {
  Torus torus;
  torus.width = width;
  torus.height = height;
  for (std::int32_t x = 0; x < width; ++x) torus.worker_columns.push_back(x);
  for (std::int32_t y = 0; y < height; ++y) torus.worker_rows.push_back(y);
  torus.clock = Hertz(1e9);
  torus.flit = Bytes(32);
  torus.packet = Bytes(8192);
  torus.hop_latency = Cycles(9);
  torus.interface_latency = Cycles(5);
  torus.input_buffer = Bytes(2048);
  torus.virtual_channels = 16;
  torus.channel_flits = 10;
  torus.hand_over = Cycles(5);
  torus.contended_flits = 3;
  torus.atomic_latency = Cycles(5);
  torus.interface.memory_latency = Cycles(14);
  torus.interface.acknowledge = Cycles(12);
  torus.interface.write_rate = 32;
  torus.interface.read_rate = 32;
  torus.interface.reservation = Cycles(8);
  torus.interface.reservation_per_hop = Cycles(16);
  torus.issue.write = torus.issue.stateful_write = torus.issue.read = torus.issue.stateful_read = Cycles(20);
  torus.issue.multicast = torus.issue.atomic = Cycles(20);
  torus.issue.destination = Cycles(14);
  torus.issue.state = Cycles(10);
  torus.issue.barrier = Cycles(16);
  torus.issue.bank = Cycles(18);
  torus.issue.token = Cycles(12);
  torus.compute = {
      .tile_elements = 64, .start = Cycles(40), .tile_16bit = Cycles(8), .tile_32bit = Cycles(16), .word = Cycles(30)};
  torus.memory = Bytes(1 << 20);
  torus.semaphores = 16;
  torus.runtime_arguments = 341;
  torus.dram.rate = 22;
  torus.dram.interface_rate = 28;
  torus.dram.buffer = Bytes(8192);
  torus.dram.latency = Cycles(100);
  torus.dram.burst = Bytes(128);
  torus.dram.short_write = Cycles(65);
  return torus;
}

/// The same with one bank of DRAM, at a tile that is no worker.
inline Torus chip_with_dram(std::int32_t width, std::int32_t height) {
  Torus torus = small_chip(width, height);
  torus.worker_columns.erase(torus.worker_columns.begin());
  torus.dram.banks = {{.x = 0, .y = 0}};
  return torus;
}

}  // namespace muster::torus
