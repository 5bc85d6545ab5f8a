// The phrases that several reports share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// "1,218"; "-" for nothing.
std::string cycles_text(const std::optional<Cycles>& cycles);
/// "1.46", "-" where there is nothing to divide by.
std::string ratio_text(const std::optional<Seconds>& time, const std::optional<Seconds>& bound);
/// A share of the bandwidth; nothing where it is more than all: ASTRA-sim's accounting leaves out time in which bytes are sent.
std::optional<double> possible_share(std::optional<double> share);
/// "87.5%"; "-" for a share that is not possible.
std::string share_text(double share);
/// Why a run has times and no data.
inline constexpr const char* kTooLargeToCheck = "the vectors of all ranks together are too large";
/// A name to stand in parentheses itself: "paper 1d, Lemma 5.5" for "paper 1d (Lemma 5.5)".
std::string without_parentheses(const std::string& name);
/// "two-phase group=23"
std::string algorithm_text(const std::string& algorithm, const ParameterValues& parameters);
/// "reduce (sum) of 256 f32 on wse2, 512x1 PEs, root (16,0)"; a root that is the first rank is not mentioned,
/// unless it was chosen: "best root found: (0,0)". "allreduce (sum) of 9 f32 per node on piuma, 16 nodes, group 0:3, core 3 late by 1 us".
/// With `by`, who does it stands before the conditions: "..., 16 nodes by in-network, core 3 late by 1 us".
std::string question_text(const Question& question, const std::string& by = "");
/// "root       tried (7,0): 57 cycles by best-tree; ...", a whole line; empty where the root was given.
std::string roots_line(const Question& question);
/// "exactly", or with which probability a wrong schedule would have been accepted.
std::string proof_text(double error_probability);
/// The text in lines of at most `width` characters, broken at spaces; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);
/// "why        two-phase wins because ...": a word in a fixed column and a text that may have several lines.
std::string labelled(const std::string& word, const std::string& text);
/// The text with `indent` spaces before every line but the first.
std::string hanging(const std::string& text, std::size_t indent);

}  // namespace muster
