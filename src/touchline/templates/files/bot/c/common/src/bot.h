#ifndef BOT_H
#define BOT_H

#include "rules.h"

/* Return one of the legal moves. */
struct move choose(const struct position *position, const struct moves *moves);

#endif
