#pragma once

#include <vector>

#include "rules.hpp"

// Return one of the legal moves.
Move choose(const Position &position, const std::vector<Move> &moves);
