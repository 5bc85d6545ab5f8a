// What kernels do with circular buffers and tiles.
#include <algorithm>
#include <cstring>

#include "backend/torus/metalium/kernel_processor.h"
#include "base/error.h"
#include "base/index.h"
#include "schedule/arithmetic.h"

namespace muster::torus {
namespace {

using muster_stand_in::Combination;
using muster_stand_in::Format;

constexpr std::size_t kRegisters = 16;
constexpr std::uint32_t kTileElements = 1024;

std::uint32_t element_bytes(Format format) {
  switch (format) {
    case Format::float16:
    case Format::bfloat16:
    case Format::uint16:
      return 2;
    default:
      return 4;
  }
}

std::optional<ElementType> type_of(Format format) {
  switch (format) {
    case Format::float32:
      return ElementType::f32;
    case Format::float16:
      return ElementType::f16;
    case Format::bfloat16:
      return ElementType::bf16;
    case Format::int32:
      return ElementType::i32;
    default:
      return std::nullopt;
  }
}

/// A word with the sign of its numbers turned around: a - b is a + (-b).
Word negated(ElementType type, Word word) {
  if (type == ElementType::i32) return ~word + 1;
  return word ^ (elements_per_word(type) == 2 ? 0x80008000U : 0x80000000U);
}

Operator operator_of(Combination how) {
  switch (how) {
    case Combination::multiply:
      return Operator::prod;
    case Combination::maximum:
      return Operator::max;
    case Combination::minimum:
      return Operator::min;
    default:
      return Operator::sum;
  }
}

std::vector<std::uint8_t> combined(Combination how, ElementType type, const std::vector<std::uint8_t>& left,
                                   const std::vector<std::uint8_t>& right) {
  const Arithmetic arithmetic{.type = type, .op = operator_of(how)};
  std::vector<Word> a(left.size() / sizeof(Word));
  std::vector<Word> b(a.size());
  std::memcpy(a.data(), left.data(), left.size());
  std::memcpy(b.data(), right.data(), right.size());
  if (how == Combination::subtract) {
    for (Word& word : b) word = negated(type, word);
  }
  arithmetic.combine(a, b);
  std::vector<std::uint8_t> result(left.size());
  std::memcpy(result.data(), a.data(), result.size());
  return result;
}

}  // namespace

// Circular buffers.

CircularBuffer& KernelProcessor::buffer_of(std::uint32_t index, const Site& site) {
  site_ = site;
  const auto found = state().buffers.find(index);
  if (found == state().buffers.end()) {
    fail("circular buffer misused", site,
         fmt::format("the host has created no circular buffer {} on this core", index));
  }
  return found->second;
}

std::uint64_t KernelProcessor::page_address(const CircularBuffer& buffer, std::uint32_t first,
                                            std::uint64_t page) const {
  return buffer.what.address + (first + page) % buffer.what.pages * buffer.what.page_bytes;
}

/// The compute processor's handling of tiles is part of what they take; tokens and dataflow are charged.
Cycles KernelProcessor::page_cost(const CircularBuffer& buffer) const {
  const bool is_tile = buffer.what.page_bytes == kTileElements * element_bytes(buffer.what.format);
  return which_ == 2 && is_tile ? Cycles(0) : run_.torus().issue.token;
}

void KernelProcessor::reserve(std::uint32_t index, std::uint32_t pages, Site site) {
  CircularBuffer& buffer = buffer_of(index, site);
  if (pages > buffer.what.pages) {
    fail("circular buffer misused", site,
         fmt::format("it reserves {} pages of circular buffer {}, which has {}: it would wait for ever", pages, index,
                     buffer.what.pages));
  }
  stop_until([&buffer, pages] { return buffer.what.pages - (buffer.pushed - buffer.popped) >= pages; },
             [&buffer, index, pages] {
               return fmt::format("{} free pages of circular buffer {}, which has {}", pages, index,
                                  buffer.what.pages - (buffer.pushed - buffer.popped));
             });
  buffer.reserved = std::max(buffer.reserved, pages);
  known_.join(buffer.by_pops);
}

void KernelProcessor::push(std::uint32_t index, std::uint32_t pages, Site site) {
  CircularBuffer& buffer = buffer_of(index, site);
  if (pages > buffer.reserved) {
    found("circular buffer misused", site,
          fmt::format("it pushes {} pages of circular buffer {} and has reserved {}", pages, index, buffer.reserved));
  }
  takes(page_cost(buffer));
  buffer.reserved -= std::min(pages, buffer.reserved);
  buffer.packed = 0;
  buffer.pushed += pages;
  Knowledge told = known_;
  if (which_ == 2) told.learn_done(id(), TransferKind::pack, issued_[0]);
  buffer.by_pushes.join(told);
  run_.wake(core_);
}

void KernelProcessor::wait(std::uint32_t index, std::uint32_t pages, Site site) {
  CircularBuffer& buffer = buffer_of(index, site);
  if (pages > buffer.what.pages) {
    fail("circular buffer misused", site,
         fmt::format("it waits for {} pages of circular buffer {}, which has {}: it would wait for ever", pages, index,
                     buffer.what.pages));
  }
  stop_until([&buffer, pages] { return buffer.pushed - buffer.popped >= pages; },
             [&buffer, index, pages] {
               return fmt::format("{} pages of circular buffer {}, and it has {}", pages, index,
                                  buffer.pushed - buffer.popped);
             });
  buffer.waited = std::max(buffer.waited, pages);
  known_.join(buffer.by_pushes);
}

void KernelProcessor::pop(std::uint32_t index, std::uint32_t pages, Site site) {
  CircularBuffer& buffer = buffer_of(index, site);
  if (pages > buffer.waited) {
    found("circular buffer misused", site,
          fmt::format("it pops {} pages of circular buffer {} and has waited for {}", pages, index, buffer.waited));
  }
  takes(page_cost(buffer));
  buffer.waited -= std::min(pages, buffer.waited);
  buffer.popped += pages;
  buffer.by_pops.join(known_);
  run_.wake(core_);
}

bool KernelProcessor::has_pages(std::uint32_t index, std::uint32_t pages, bool at_back, Site site) {
  const CircularBuffer& buffer = buffer_of(index, site);
  takes(run_.torus().issue.token);  // so that a loop around it ends
  const std::uint32_t full = buffer.pushed - buffer.popped;
  return (at_back ? buffer.what.pages - full : full) >= pages;
}

std::uint32_t KernelProcessor::write_pointer(std::uint32_t index, Site site) {
  const CircularBuffer& buffer = buffer_of(index, site);
  return static_cast<std::uint32_t>(page_address(buffer, buffer.pushed, 0));
}

std::uint32_t KernelProcessor::read_pointer(std::uint32_t index, Site site) {
  const CircularBuffer& buffer = buffer_of(index, site);
  return static_cast<std::uint32_t>(page_address(buffer, buffer.popped, 0));
}

std::uint32_t KernelProcessor::page_bytes(std::uint32_t index, Site site) {
  return buffer_of(index, site).what.page_bytes;
}

// Tiles.

void KernelProcessor::require(Registers expected, const char* call, const Site& site) {
  site_ = site;
  if (which_ != 2) fail("bad call", site, "only the compute processor has tile registers");
  if (registers_ == expected) return;
  constexpr const char* names[] = {"released", "acquired", "committed", "waited for"};
  found("tile registers misused", site,
        fmt::format("{} while the tile registers are {}; the order is tile_regs_acquire, computing, tile_regs_commit, "
                    "tile_regs_wait, packing, tile_regs_release",
                    call, names[static_cast<std::size_t>(registers_)]));
}

void KernelProcessor::set_up(Site site) {
  site_ = site;
  is_set_up_ = true;
}

void KernelProcessor::acquire_registers(Site site) {
  require(Registers::released, "tile_regs_acquire", site);
  registers_ = Registers::acquired;
  register_file_.assign(kRegisters, {});
  if (std::exchange(is_set_up_, false)) takes(run_.torus().compute.start);
}
void KernelProcessor::commit_registers(Site site) {
  require(Registers::acquired, "tile_regs_commit", site);
  registers_ = Registers::committed;
}
void KernelProcessor::wait_registers(Site site) {
  require(Registers::committed, "tile_regs_wait", site);
  registers_ = Registers::waited;
}
void KernelProcessor::release_registers(Site site) {
  require(Registers::waited, "tile_regs_release", site);
  registers_ = Registers::released;
}

KernelProcessor::Register& KernelProcessor::register_of(std::uint32_t number, const Site& site) {
  if (number >= kRegisters) fail("tile registers misused", site, fmt::format("there is no tile register {}", number));
  register_file_.resize(kRegisters);
  return register_file_[number];
}

KernelProcessor::Register KernelProcessor::load(std::uint32_t index, std::uint32_t tile, const Site& site) {
  const CircularBuffer& buffer = buffer_of(index, site);
  if (tile >= buffer.waited) {
    found("circular buffer misused", site,
          fmt::format("it reads tile {} of circular buffer {} and has waited for {}", tile, index, buffer.waited));
  }
  const std::uint64_t address = page_address(buffer, buffer.popped, tile);
  const std::uint64_t bytes = std::uint64_t{kTileElements} * element_bytes(buffer.what.format);
  check_range(address, bytes, site);
  uses(address, bytes, site);
  const std::uint8_t* const from = run_.memory().core(core_, address);
  return {.format = buffer.what.format, .bytes = {from, from + bytes}};
}

void KernelProcessor::unpack(std::uint32_t buffer, std::uint32_t tile, std::uint32_t reg, Site site) {
  require(Registers::acquired, "copy_tile", site);
  register_of(reg, site) = load(buffer, tile, site);
}

// NOLINTNEXTLINE(readability-function-size): a call of the stand-in
void KernelProcessor::combine_tiles(Combination how, std::uint32_t left, std::uint32_t right, std::uint32_t left_tile,
                                    std::uint32_t right_tile, std::uint32_t reg, Site site) {
  require(Registers::acquired, "a call with tiles", site);
  Register a = load(left, left_tile, site);
  const Register b = load(right, right_tile, site);
  const auto type = type_of(a.format);
  if (!type || a.format != b.format || element_bytes(a.format) != 2) {
    fail("tile registers misused", site,
         "the matrix engine combines tiles of one 16-bit floating point format here; 32-bit tiles are combined in "
         "registers");
  }
  a.bytes = combined(how, *type, a.bytes, b.bytes);
  register_of(reg, site) = std::move(a);
}

void KernelProcessor::combine_registers(Combination how, std::uint32_t left, std::uint32_t right, std::uint32_t result,
                                        Site site) {
  require(Registers::acquired, "a call with registers", site);
  Register a = register_of(left, site);
  const Register& b = register_of(right, site);
  const auto type = type_of(a.format);
  if (!type || a.format != b.format) {
    fail("tile registers misused", site, "it combines registers that hold no tiles, or tiles of different formats");
  }
  a.bytes = combined(how, *type, a.bytes, b.bytes);
  register_of(result, site) = std::move(a);
}

void KernelProcessor::pack(std::uint32_t reg, std::uint32_t index, std::int64_t tile, Site site) {
  require(Registers::waited, "pack_tile", site);
  CircularBuffer& buffer = buffer_of(index, site);
  const std::uint64_t page = tile >= 0 ? static_cast<std::uint64_t>(tile) : buffer.packed++;
  if (page >= buffer.reserved) {
    found("circular buffer misused", site,
          fmt::format("it packs tile {} of circular buffer {} and has reserved {}", page, index, buffer.reserved));
  }
  const Register& from = register_of(reg, site);
  if (from.format != buffer.what.format) {
    fail("tile registers misused", site,
         "it packs a register that holds no tile, or one of another format than the buffer");
  }
  const bool is_16bit = element_bytes(from.format) == 2;
  takes(is_16bit ? run_.torus().compute.tile_16bit : run_.torus().compute.tile_32bit);
  const std::uint64_t address = page_address(buffer, buffer.pushed, page);
  check_range(address, from.bytes.size(), site);
  run_.check_sources(core_, address, from.bytes.size(), site);
  run_.mark(core_, address, from.bytes.size(), run_.new_origin(next_origin(TransferKind::pack, 0, false, site)));
  std::memcpy(run_.memory().core(core_, address), from.bytes.data(), from.bytes.size());
}

void KernelProcessor::combine_words(std::uint32_t left, std::uint32_t right, std::uint32_t target, std::uint32_t words,
                                    Site site) {
  site_ = site;
  const std::uint64_t bytes = std::uint64_t{4} * words;
  for (const std::uint32_t address : {left, right, target}) check_range(address, bytes, site);
  takes(Cycles(run_.torus().compute.word.value() * words));
  uses(left, bytes, site);
  uses(right, bytes, site);
  run_.check_sources(core_, target, bytes, site);
  run_.mark(core_, target, bytes, 0);
}

}  // namespace muster::torus
