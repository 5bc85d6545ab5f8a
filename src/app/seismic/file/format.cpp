#include "app/seismic/file/format.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

const std::array<std::string, 4> kNames{"segy", "su", "rsf", "raw"};

const std::array<std::pair<std::string, Format>, 6> kEndings{{{".segy", Format::segy},
                                                              {".sgy", Format::segy},
                                                              {".su", Format::su},
                                                              {".rsf", Format::rsf},
                                                              {".raw", Format::raw},
                                                              {".bin", Format::raw}}};

}  // namespace

std::string name_of(Format format) { return kNames.at(static_cast<std::size_t>(format)); }

Format format_named(const std::string& name, const std::string& location) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) reject("{}: unknown format '{}'; {}", location, one_line(name), suggest(name, kNames));
  return static_cast<Format>(found - kNames.begin());
}

Format format_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  const auto* found = std::ranges::find(kEndings, ending, &std::pair<std::string, Format>::first);
  if (found == kEndings.end()) {
    reject("{}: its ending says no format; use .segy, .sgy, .su, .rsf, .raw or .bin", path.string());
  }
  return found->second;
}

}  // namespace muster::seismic
