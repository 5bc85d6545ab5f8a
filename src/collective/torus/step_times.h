// The predicted time of a schedule on a torus: its steps one after another, each when what it needs is there.
//
// What takes time, and what is taken in turn:
//   a processor   the calls for a message: one for each contiguous piece and packet, and one that tells the receiver; per core and NoC.
//   an interface  the bytes that leave or enter a tile; per NoC.
//   a link        the bytes of messages, one message after another; a message goes on while it is still being sent (cut-through). While
//                 one waits, the link loses time, as routers do.
//   a latency     memory, interfaces and hops; then the receiver sees its counter.
//   multicasts    reserve the links of their paths; those that share a link follow each other.
//   a DRAM bank   bytes at its rate. Cores wait for a write's acknowledgement, and their reads go there and back.
//   compute       whole tiles, one after another, and the tokens between processors.
// Bytes and tiles are those of a program: with padding (span_sizes.h). Routers' buffers are left out.
#pragma once

#include "base/units.h"
#include "collective/algorithm.h"

namespace muster {

/// Of a flat schedule that an algorithm of a torus has made for the request.
Cycles predicted_by_steps(const Schedule& flat, const Request& request);

}  // namespace muster
