// Workloads of tt-npe, Tenstorrent's NoC performance estimator: a JSON document of transfers, each with the cycle in which it begins.
// Fields as tt-npe documents them: phases[].transfers[] with packet_size, num_packets, src_x, src_y, dst_x, dst_y (of a multicast
// mcast_start_x, mcast_start_y, mcast_end_x, mcast_end_y), injection_rate, phase_cycle_offset, noc_type and noc_event_type. Coordinates
// are physical ones of NoC 0. A transfer leads from where the data is to where it goes: so a read is issued at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/torus/program.h"
#include "backend/torus/traffic.h"
#include "base/error.h"

namespace muster::torus {

/// Whether a text is a JSON document, and no list of transactions as CSV.
bool is_npe_workload(std::string_view text);

/// Throws InputError, with the path in the document, where a value is wrong or does not fit the machine.
std::vector<TrafficRow> read_npe_workload(const Torus& torus, const std::string& file, const std::string& text);

/// What a run of the program sends, and when, as it is simulated: tt-npe knows no dependences. Or why it cannot be written down.
Outcome<std::string> npe_workload(const TorusProgram& program);

}  // namespace muster::torus
