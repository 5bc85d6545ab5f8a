// muster seismic view: a picture of a model, a snapshot or a gather.
#include <array>
#include <cmath>
#include <filesystem>

#include "app/seismic/file/files.h"
#include "app/seismic/picture/picture.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "base/units.h"
#include "cli/applicability.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/show.h"

namespace muster {
namespace {

constexpr std::int64_t kMostCells = 100'000;  // along an axis
constexpr std::size_t kMostSlices = 6;

/// One of the words that a flag takes.
std::size_t choice(const Arguments& arguments, const std::string& flag, const std::array<std::string, 2>& words) {
  if (!arguments.has(flag)) return 0;
  const std::string& word = arguments.text(flag);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) return i;
  }
  reject("{}: '{}' is not one of {}", flag, one_line(word), fmt::join(words, ", "));
}

seismic::Extent parse_grid(const std::string& text) {
  std::array<std::int64_t, 3> cells{};
  std::size_t from = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? text.find('x', from) : text.size();
    if (end == std::string::npos) {
      reject("--grid: '{}' has no three numbers of cells; use e.g. --grid 240x240x240", one_line(text));
    }
    cells[i] = parse_number(text.substr(from, end - from),
                            {.flag = "--grid", .least = 1, .most = kMostCells, .example = "240x240x240"});
    from = end + 1;
  }
  return {cells[0], cells[1], cells[2]};
}

/// Files with a header say themselves what raw ones need flags for.
seismic::ReadOptions read_options(const Arguments& arguments, const std::string& file) {
  seismic::ReadOptions options{.format = seismic::format_of(file)};
  if (arguments.has("--grid")) leave_out(arguments, {"--samples"}, "--grid is of a model or snapshot, not of a gather");
  if (options.format != seismic::Format::raw) {
    leave_out(arguments, {"--precision"}, "it is for raw files, and this one says it");
  } else if (!arguments.has("--grid") && !arguments.has("--samples")) {
    reject(
        "{}: a raw file does not say what it holds; use e.g. --grid 240x240x240 for cells or --samples 1000 for traces",
        file);
  }
  if (arguments.has("--grid")) options.extent = parse_grid(arguments.text("--grid"));
  if (arguments.has("--samples")) {
    options.samples =
        parse_number(arguments.text("--samples"), {.flag = "--samples", .least = 1, .example = "--samples 1000"});
  }
  if (choice(arguments, "--precision", {"f32", "f64"}) == 1) options.precision = seismic::Precision::f64;
  return options;
}

/// "x=120" is a cell; "x=1.2 km" is the nearest one.
seismic::Slice parse_slice(const std::string& text, const seismic::Cube& cube) {
  const auto [name, value] = parse_assignment(text, "--slice", "z=40");
  if (name != "x" && name != "y" && name != "z") {
    reject("--slice: '{}' is no axis; use x, y or z, e.g. --slice z=40", one_line(name));
  }
  const seismic::Axis axis = seismic::kAxes.at(static_cast<std::size_t>(name[0] - 'x'));
  const std::int64_t last = cube.extent[axis] - 1;
  if (!value.ends_with('m')) {
    return {axis, parse_number(value, {.flag = "--slice " + name, .least = 0, .most = last, .example = "z=40"})};
  }
  const Outcome<Metres> metres = parse_metres(value);
  if (!metres) reject("--slice {}: {}", name, metres.reason());
  if (!(cube.spacing[axis] > 0)) reject("--slice: the file does not say its spacing; name a cell, e.g. {}=40", name);
  const double cell = std::round(metres.value().value() / cube.spacing[axis]);
  if (!(cell >= 0 && cell <= static_cast<double>(last))) {
    reject("--slice {}: {} is outside of the grid, which ends at {} m", name, one_line(value),
           static_cast<double>(last) * cube.spacing[axis]);
  }
  return {axis, static_cast<std::int64_t>(cell)};
}

seismic::PictureOptions picture_options(const Arguments& arguments, const std::string& file) {
  if (!arguments.has("--out")) reject("seismic view needs a file for the picture; use e.g. --out picture.png");
  const std::filesystem::path out = arguments.text("--out");
  if (out.extension() != ".png" && out.extension() != ".svg") {
    reject("--out: {} ends neither in .png nor in .svg; use e.g. --out picture.png", out.string());
  }
  check_named_file(out, "--out");
  seismic::PictureOptions options{.title = std::filesystem::path(file).filename().string()};
  if (out.extension() == ".svg") options.format = seismic::ImageFormat::svg;
  if (arguments.has("--clip")) {
    options.clip =
        parse_decimal(arguments.text("--clip"), {.flag = "--clip", .least = 51, .most = 100, .example = "99.5"});
  }
  return options;
}

/// The picture, and what it shows in a few words.
std::pair<std::string, std::string> picture_of(const Arguments& arguments, const std::string& file) {
  seismic::PictureOptions options = picture_options(arguments, file);
  const seismic::ReadOptions read = read_options(arguments, file);
  if (!seismic::holds_cube(file, read)) {
    leave_out(arguments, {"--slice"}, "a gather has none");
    if (choice(arguments, "--style", {"density", "wiggle"}) == 1) options.style = seismic::GatherStyle::wiggle;
    const seismic::Gather gather = seismic::read_gather(file, read);
    return {seismic::draw(gather, options), fmt::format("gather of {} traces", gather.receivers.size())};
  }
  leave_out(arguments, {"--style"}, "it is for gathers");
  const seismic::Cube cube = seismic::read_cube(file, read);
  for (const std::string& text : arguments.values("--slice")) options.slices.push_back(parse_slice(text, cube));
  if (options.slices.size() > kMostSlices) reject("--slice: a picture has at most {} of them", kMostSlices);
  return {seismic::draw(cube, options),
          fmt::format("slices of {}x{}x{} cells", cube.extent.x, cube.extent.y, cube.extent.z)};
}

}  // namespace

int run_seismic_view(const Arguments& arguments, const std::string& file) {
  const auto [picture, title] = picture_of(arguments, file);
  const std::filesystem::path out = arguments.text("--out");
  write_named_file(out, picture, "--out");
  const std::string folder = out.has_parent_path() ? out.parent_path().string() : ".";
  show(arguments,
       FigureFilesAnswer{
           .folder = folder,
           .figures = {{title, {{out.filename().string(), Bytes(static_cast<std::int64_t>(picture.size()))}}}}});
  return kDone;
}

}  // namespace muster
