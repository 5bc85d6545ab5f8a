// No one checks registers before they are set; so what is written is read again.
#include "backend/hyperx/files/emit_registers.h"

#include "backend/hyperx/files/difference.h"
#include "backend/hyperx/files/read_registers.h"

namespace muster::hyperx {

std::vector<EmittedFile> emit_registers(const HyperXProgram& program, const EmitOptions& options) {
  const NodePrograms nodes = find_node_programs(program);
  EmittedFile json{.name = "registers.json", .text = registers_json(program, nodes, options.command)};
  const auto lost = difference(program, read_registers(json.text, json.name, program.machine));
  MUSTER_ASSERT(!lost, "registers read as others than were written: {}", *lost);
  EmittedFile header{.name = "registers.h", .text = registers_header(program, nodes, options.command)};
  header.remark = "The row format and the port numbers are ours: those of the hardware are not published.";
  std::vector<EmittedFile> files;
  files.push_back(std::move(json));
  files.push_back(std::move(header));
  return files;
}

}  // namespace muster::hyperx
