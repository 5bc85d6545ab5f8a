// tables.h: everything that differs from program to program.
#include <algorithm>

#include "backend/torus/metalium/entries.h"
#include "backend/torus/metalium/text.h"
#include "base/index.h"

namespace muster::torus {
namespace {

constexpr std::int64_t kEntryBytes = 32;  // sizeof(Call) of calls.h
constexpr std::int64_t kTokenBytes = 16;  // a page of its circular buffer
constexpr std::string_view kProcessorNames[] = {"dataflow 0", "dataflow 1", "compute"};

class Tables {
 public:
  explicit Tables(const TorusProgram& program) : program_(program), torus_(program.torus()) {}

  std::string run(const std::string& head) && {
    put("{}#pragma once\n\n#include <cstdint>\n\n#include \"calls.h\"\n\n", head);
    sizes();
    cores();
    calls();
    pieces();
    contracts();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void constant(std::string_view name, std::int64_t value, std::string_view what) {
    put("constexpr uint32_t {} = {};  // {}\n", name, value, what);
  }
  /// An array of one entry per line. C++ has none without entries: then `empty`, whose count of elements is 0, is the only one.
  void array(std::string_view type, std::string_view name, const std::vector<std::string>& entries,
             std::string_view empty) {
    put("constexpr {} {}[] = {{\n", type, name);
    if (entries.empty()) put("    {},\n", empty);
    for (const std::string& entry : entries) put("    {},\n", entry);
    put("}};\n\n");
  }

  void sizes() {
    const std::int32_t words = counter_words(program_);
    constant("kRanks", std::ssize(program_.cores), "cores in use, row by row");
    constant("kColumns", used_columns(torus_), "of the cores in use");
    constant("kTileBytes", program_.tile_bytes, "of the type");
    constant("kMemoryBytes", program_.memory_used, "of the program's memory in every core");
    constant("kBanks", program_.bank_memory.end > 0 ? std::ssize(torus_.dram.banks) : 0, "of DRAM in use");
    constant("kBankBytes", program_.bank_memory.end, "of the program's memory in every bank");
    constant("kSemaphores", most_counters(program_) - words, "per core, each a counter");
    constant("kCounterWords", words, "words of memory that are counters, beyond the semaphores");
    put("\n");
  }

  void cores() {
    put("// Circular buffers for tokens of rank r: kTokens[r][from][to] pages.\n");
    put("constexpr uint16_t kTokens[kRanks][kProcessors][kProcessors] = {{\n");
    for (const Core& core : program_.cores) {
      std::vector<std::string> rows;
      for (const auto& row : core.tokens) rows.push_back(fmt::format("{{{}}}", fmt::join(row, ", ")));
      put("    {{{}}},\n", fmt::join(rows, ", "));
    }
    put("}};\n\n");
  }

  void calls() {
    put("// The calls of rank r's processor p are kCalls[kFirstCall[3 r + p]] up to kCalls[kFirstCall[3 r + p + "
        "1]].\n");
    put("using namespace calls;\nconstexpr Call kCalls[] = {{\n");
    std::vector<std::int64_t> first{0};
    for (NodeId rank = 0; rank < std::ssize(program_.cores); ++rank) {
      for (int p = 0; p < kProcessors; ++p) {
        const std::vector<std::string> entries = entries_of(program_, rank, static_cast<Processor>(p));
        first.push_back(first.back() + std::ssize(entries));
        if (entries.empty()) continue;
        put("    // {}, rank {}: {}\n", core_text(torus_, rank), rank, kProcessorNames[at(p)]);
        for (const std::string& entry : entries) put("    {},\n", entry);
      }
    }
    put("    settle(),  // not used: the end\n}};\n");
    put("constexpr uint32_t kFirstCall[] = {{{}}};\n\n", fmt::join(first, ", "));
  }

  void pieces() {
    put("// Where words of 32 bits lie in a core's memory: `count` words of a buffer from `first` on are at byte "
        "`address`. Pieces\n"
        "// begin with a tile, and what is left of their last tile is padding.\n"
        "struct Piece {{\n    uint32_t buffer;\n    uint32_t first;\n    uint32_t count;\n    uint32_t "
        "address;\n}};\n");
    std::vector<std::string> entries;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      const std::vector<Piece>& all = program_.pieces.of(buffer);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Address address = program_.memory.of(buffer, static_cast<std::int32_t>(i));
        if (address < 0) continue;
        entries.push_back(fmt::format("{{{}, {}, {}, {}}}", number(buffer), all[i].first, all[i].count, address));
      }
    }
    array("Piece", "kPieces", entries, "{0, 0, 0, 0}");
  }

  void contracts() {
    std::vector<std::string> members;
    std::vector<std::string> held;
    std::vector<std::string> owed;
    std::int64_t begin = 0;  // of the contract's group in kMembers
    for (const Contract& contract : program_.contracts) {
      const std::span<const NodeId> group(contract.ranks);
      for (const NodeId rank : group) members.push_back(std::to_string(rank));
      for (std::int32_t i = 0; i < std::ssize(contract.ranks); ++i) {
        const NodeId rank = contract.ranks[at(i)];
        for (const Range& range : held_before(contract, i)) {
          held.push_back(
              fmt::format("{{{}, {}, {}, {}}}", rank, number(held_in(contract, i)), range.first, range.count));
        }
        for (const Owed& o : owed_after(contract, i)) {
          if (o.at_least_once) continue;
          const std::span<const NodeId> sources = sources_of(contract, i, o);
          owed.push_back(fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", rank, number(contract.to), o.range.first,
                                     o.range.count, begin + (sources.data() - group.data()), sources.size(),
                                     o.displacement));
        }
      }
      begin += std::ssize(contract.ranks);
    }
    put("// Before, a rank holds `count` words of a buffer from `first` on.\n"
        "struct Held {{\n    uint32_t rank;\n    uint32_t buffer;\n    uint32_t first;\n    uint32_t count;\n}};\n");
    array("Held", "kHeld", held, "{0, 0, 0, 0}");
    put("// After, word w of a rank's buffer is the combination of word w + displacement of `members` ranks, from\n"
        "// kMembers[first_member] on.\n"
        "struct Owed {{\n    uint32_t rank;\n    uint32_t buffer;\n    uint32_t first;\n    uint32_t count;\n"
        "    uint32_t first_member;\n    uint32_t members;\n    int32_t displacement;\n}};\n");
    array("Owed", "kOwed", owed, "{0, 0, 0, 0, 0, 0, 0}");
    put("constexpr uint32_t kMembers[] = {{{}}};\n",
        members.empty() ? "0" : fmt::format("{}", fmt::join(members, ", ")));
  }

  static int number(Buffer buffer) { return static_cast<int>(buffer) - 1; }

  const TorusProgram& program_;
  const Torus& torus_;
  std::string out_;
};

}  // namespace

std::string tables_text(const std::string& head, const TorusProgram& program) { return Tables(program).run(head); }

std::int64_t table_bytes(const TorusProgram& program) {
  std::int64_t most = 0;
  std::int64_t most_tokens = 0;
  for (NodeId rank = 0; rank < std::ssize(program.cores); ++rank) {
    std::int64_t calls = 0;
    std::int64_t tokens = 0;
    for (int p = 0; p < kProcessors; ++p) {
      calls += std::ssize(entries_of(program, rank, static_cast<Processor>(p)));
      for (const std::int32_t pages : program.cores[at(rank)].tokens[at(p)]) tokens += pages;
    }
    most = std::max(most, calls);
    most_tokens = std::max(most_tokens, tokens);
  }
  return most * kEntryBytes + most_tokens * kTokenBytes + counter_words(program) * kCounterBytes + program.tile_bytes;
}

}  // namespace muster::torus
