/* Fish as one writes it in C: what the compiled kernels of bots/kernels/fish.py and fish_search.py are held
 * against. The floe and the rows of a state are laid out as they are there; the algorithms are the same, the
 * search is recursive, and so are its trees, node for node. */

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { STRIDE = 8, NEIGHBOURS = 6, UNITS = 7, ONES = 512, TWOS, FOURS, OPEN, ODD, EVEN, COLS, PER_TILE, STANDING, QUOTA };
enum { FREE = 0, PENGUINS = 1, SEED = 5, WORDS = 6 };
enum { TURN = 4, LEFT, ALIVE, PRESENT, SEATS, COUNTS };
enum { UNIT = 64, PATIENCE = 300, SOLVED = 127, EXACT = 0, AT_LEAST = 1, AT_MOST = 2 };
enum { KEPT = 1 << 19, SEEN = 1 << 12, FAR_OFF = 1 << 19, OPEN_END = 1 << 30, DEEPEST = 96, WIDEST = 384 };

static const u64 SPREAD = 0xD6E8FEB86659FD93u;

static inline int count(u64 tiles) { return __builtin_popcountll(tiles); }
static inline int lowest(u64 tiles) { return __builtin_ctzll(tiles); }
static inline u64 bit(int tile) { return (u64)1 << tile; }

static inline u64 slides(int tile, u64 free, const u64 *floe) {
    const u64 *rays = floe + tile * STRIDE;
    u64 found = 0;
    for (int way = 0; way < 3; way++) {
        u64 stop = rays[way] & ~free;
        found |= rays[way] & (stop ^ (stop - 1));
        stop = rays[way + 3] & ~free;
        found |= rays[way + 3] & (~(u64)0 << (63 - __builtin_clzll(stop | 1)));
    }
    return found & free;
}

static inline u64 around(u64 tiles, const u64 *floe) {
    u64 cols = floe[COLS];
    u64 wide = tiles | (tiles & floe[ODD]) << 1 | (tiles & floe[EVEN]) >> 1;
    return wide >> cols | wide << cols | tiles >> 2 * cols | tiles << 2 * cols;
}

static inline u64 reach(u64 tiles, u64 free, const u64 *floe) {
    u64 found = around(tiles, floe) & free;
    for (u64 fresh = found; fresh;) {
        fresh = around(fresh, floe) & free & ~found;
        found |= fresh;
    }
    return found;
}

static inline i64 units(u64 tiles, const u64 *floe) {
    i64 fish = count(tiles & floe[ONES]) + 2 * count(tiles & floe[TWOS]) + 4 * count(tiles & floe[FOURS]);
    return UNIT * fish + (i64)floe[PER_TILE] * count(tiles);
}

static inline u64 drawn(u64 seed) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    return seed ^ seed >> 27;
}

static inline int below(u64 seed, int most) { return (int)((seed * 0x2545F4914F6CDD1Du >> 32) * (u64)most >> 32); }

static inline int nth(u64 tiles, int number) {
    while (number--) tiles &= tiles - 1;
    return lowest(tiles);
}

static void next_to_place(const u64 *floe, const u64 *words, i64 *counts) {
    if (counts[LEFT] > 0) {
        for (i64 tries = 0; tries < counts[SEATS]; tries++) {
            counts[TURN] = (counts[TURN] + 1) % counts[SEATS];
            if (counts[PRESENT] >> counts[TURN] & 1 && count(words[PENGUINS + counts[TURN]]) < (int)floe[QUOTA]) return;
        }
        counts[LEFT] = 0;
    }
    counts[TURN] = 0;
}

static i64 playout(const u64 *floe, u64 *words, i64 *counts, i64 *trace) {
    i64 made = 0;
    u64 seed = words[SEED], free = words[FREE], targets[64];
    while (counts[LEFT] > 0) {
        u64 room = free & floe[OPEN];
        if (!room) {
            counts[LEFT] = 0;
            break;
        }
        seed = drawn(seed);
        int tile = nth(room, below(seed, count(room)));
        free ^= bit(tile);
        words[PENGUINS + counts[TURN]] |= bit(tile);
        trace[made++] = tile * 65;
        counts[LEFT]--;
        next_to_place(floe, words, counts);
    }
    i64 seat = counts[TURN], seats = counts[SEATS], alive = counts[ALIVE];
    while (alive) {
        if (alive >> seat & 1) {
            u64 mine = words[PENGUINS + seat];
            int total = 0, penguin = 0;
            for (u64 rest = mine; rest; rest &= rest - 1) {
                u64 there = slides(lowest(rest), free, floe);
                targets[penguin++] = there;
                total += count(there);
            }
            if (total) {
                seed = drawn(seed);
                int number = below(seed, total);
                u64 rest = mine;
                for (penguin = 0; number >= count(targets[penguin]); rest &= rest - 1) number -= count(targets[penguin++]);
                int origin = lowest(rest), target = nth(targets[penguin], number);
                free ^= bit(target);
                words[PENGUINS + seat] = mine ^ (bit(origin) | bit(target));
                counts[seat] += (i64)floe[origin * STRIDE + UNITS];
                trace[made++] = origin * 64 + target;
            } else {
                alive ^= (i64)1 << seat;
                if (floe[STANDING]) counts[seat] += units(mine, floe);
            }
        }
        if (++seat == seats) seat = 0;
    }
    words[SEED] = seed, words[FREE] = free, counts[ALIVE] = alive, counts[TURN] = seat;
    return made;
}

i64 playouts(const u64 *floe, u64 *words, const i64 *counts, i64 games) {
    u64 now[WORDS];
    i64 tally[COUNTS], trace[128], made = 0;
    while (games--) {
        memcpy(now, words, sizeof now);
        memcpy(tally, counts, sizeof tally);
        made += playout(floe, now, tally, trace);
        words[SEED] = now[SEED];
    }
    return made;
}

/* The search. */

static struct { u64 key; i64 value; } kept[KEPT];
static struct { u64 key; i64 gained; } seen[SEEN];
static i64 lists[DEEPEST][WIDEST], history[2][4096];
static i64 nodes, guesses, serial;
static int proven;
static u64 game;
static const u64 *floe;

static inline u64 key_of(u64 free, u64 mine, u64 theirs, u64 salt) {
    u64 key = free * 0x9E3779B97F4A7C15u;
    key = ((key ^ key >> 29) + mine) * 0xBF58476D1CE4E5B9u;
    key = ((key ^ key >> 32) + theirs) * 0x94D049BB133111EBu;
    return key ^ key >> 31 ^ salt;
}

static inline void keep(u64 key, i64 value, i64 bound, i64 depth, i64 move) {
    kept[key & (KEPT - 1)].key = key;
    kept[key & (KEPT - 1)].value = (value + FAR_OFF) << 24 | bound << 20 | depth << 12 | move;
}

static i64 territory(u64 free, u64 mine, u64 theirs) {
    u64 edge = floe[STANDING] ? ~(u64)0 : around(free, floe);
    i64 value = units(mine & edge, floe) - units(theirs & edge, floe);
    u64 front = mine, facing = theirs, rest = free, ours = 0, others = 0;
    while (rest) {
        front = around(front, floe) & rest;
        facing = around(facing, floe) & rest;
        rest &= ~(front | facing);
        if (!(front | facing)) break;
        ours |= front & ~facing;
        others |= facing & ~front;
    }
    return value + ((units(ours, floe) - units(others, floe)) >> 1);
}

static i64 lost(u64 tiles, u64 penguins) {
    int standing = count(penguins & (floe[ONES] | floe[TWOS] | floe[FOURS]));
    int more = standing - count(tiles & floe[ONES] & ~(floe[TWOS] | floe[FOURS]));
    return UNIT * standing + UNIT * (more > 0 ? more : 0);
}

static int narrowest(u64 targets, u64 area) {
    int best = 8, chosen = 0;
    for (; targets; targets &= targets - 1) {
        int tile = lowest(targets), ways = count(floe[tile * STRIDE + NEIGHBOURS] & area);
        if (ways == 0) ways = 7;
        if (ways < best) best = ways, chosen = tile;
    }
    return chosen;
}

struct count { i64 best, nodes; u64 salt; int stopped; };

static void collect(struct count *so_far, u64 free, u64 penguins, i64 gained) {
    so_far->nodes++;
    u64 area = reach(penguins, free, floe);
    if (!area) {
        gained += floe[STANDING] ? units(penguins, floe) : 0;
        if (gained > so_far->best) so_far->best = gained;
        return;
    }
    if (so_far->nodes > PATIENCE && so_far->best >= 0) {
        so_far->stopped = 1;
        return;
    }
    u64 able = penguins & around(area, floe);
    i64 ceiling = gained + (floe[STANDING] ? units(area | penguins, floe) : units(area | able, floe) - lost(area | able, able));
    u64 key = key_of(area, penguins, 0, so_far->salt);
    if (seen[key & (SEEN - 1)].key == key && seen[key & (SEEN - 1)].gained >= gained) return;
    seen[key & (SEEN - 1)].key = key, seen[key & (SEEN - 1)].gained = gained;
    for (; able; able &= able - 1) {
        int tile = lowest(able);
        u64 targets = slides(tile, area, floe);
        while (targets) {
            if (ceiling <= so_far->best) return;
            int target = narrowest(targets, area);
            targets ^= bit(target);
            collect(so_far, area ^ bit(target), penguins ^ (bit(tile) | bit(target)), gained + (i64)floe[tile * STRIDE + UNITS]);
            if (so_far->stopped) return;
        }
    }
}

static i64 alone(u64 free, u64 penguins) {
    i64 total = 0;
    int sure = 1;
    for (u64 rest = penguins; rest;) {
        u64 first = rest & (0 - rest), whole = reach(first, free | penguins, floe) | first;
        u64 group = whole & penguins, area = whole & free;
        rest &= ~group;
        if (!area) {
            total += floe[STANDING] ? units(group, floe) : 0;
            continue;
        }
        u64 key = key_of(area, group, ~(u64)0, game);
        if (kept[key & (KEPT - 1)].key == key) {
            i64 value = kept[key & (KEPT - 1)].value;
            total += (value >> 24) - FAR_OFF;
            sure &= (value >> 12 & 127) == SOLVED;
            continue;
        }
        struct count all = {-1, 0, (u64)++serial * SPREAD, 0};
        collect(&all, area, group, 0);
        nodes += all.nodes;
        keep(key, all.best, EXACT, all.stopped ? 0 : SOLVED, 0);
        total += all.best;
        sure &= !all.stopped;
    }
    proven = sure;
    return total;
}

static i64 look(u64 free, u64 mine, u64 theirs, u64 key, i64 left, i64 depth, i64 low, i64 high) {
    if (kept[key & (KEPT - 1)].key == key) {
        i64 old = kept[key & (KEPT - 1)].value;
        i64 value = (old >> 24) - FAR_OFF, bound = old >> 20 & 3, known = old >> 12 & 127;
        if (known >= depth && (bound == EXACT || (bound == AT_LEAST && value >= high) || (bound == AT_MOST && value <= low))) {
            guesses += known != SOLVED;
            return value;
        }
    }
    if (left > 0) {
        if (!(free & floe[OPEN])) return 0;
    } else if (!(around(theirs, floe) & reach(mine, free, floe))) {
        i64 value = alone(free, mine);
        int sure = proven;
        value -= alone(free, theirs);
        sure &= proven;
        guesses += !sure;
        keep(key, value, EXACT, sure ? SOLVED : depth, 0);
        return value;
    }
    if (depth <= 0) {
        guesses++;
        return territory(free, mine, theirs);
    }
    return OPEN_END;
}

static int list_moves(i64 *list, u64 free, u64 mine, u64 key, i64 side, i64 left) {
    int number = 0;
    i64 first = kept[key & (KEPT - 1)].key == key ? kept[key & (KEPT - 1)].value & 4095 : -1;
    if (left > 0) {
        for (u64 room = free & floe[OPEN]; room; room &= room - 1) {
            i64 tile = lowest(room), move = tile * 65;
            i64 hope = history[side][move] + units(floe[tile * STRIDE + NEIGHBOURS] & free, floe);
            list[number++] = (move == first ? (i64)1 << 40 : hope) << 12 | move;
        }
        return number;
    }
    for (; mine; mine &= mine - 1) {
        i64 tile = lowest(mine), gain = (i64)floe[tile * STRIDE + UNITS];
        for (u64 targets = slides((int)tile, free, floe); targets; targets &= targets - 1) {
            i64 move = tile * 64 + lowest(targets);
            list[number++] = (move == first ? (i64)1 << 40 : history[side][move] + gain) << 12 | move;
        }
    }
    return number;
}

static i64 best_move;

static i64 visit(int ply, u64 free, u64 mine, u64 theirs, u64 key, i64 side, i64 left, i64 depth, i64 low, i64 high);

static i64 after(int ply, i64 move, u64 free, u64 mine, u64 theirs, i64 side, i64 left, i64 depth, i64 low, i64 high) {
    int origin = (int)(move >> 6), target = (int)(move & 63);
    i64 next = 1 - side, gain = 0;
    u64 salt = game;
    if (left > 0) {
        mine |= bit(target);
        if (--left == 0) next = 0;
        else {
            if (left <= (i64)floe[QUOTA] - count(mine)) next = side;
            salt ^= (u64)(next + 1) * SPREAD;
        }
    } else {
        mine ^= bit(origin) | bit(target);
        gain = (i64)floe[origin * STRIDE + UNITS];
    }
    free ^= bit(target);
    if (next == side)
        return gain + visit(ply + 1, free, mine, theirs, key_of(free, mine, theirs, salt), next, left, depth - 1, low - gain, high - gain);
    return gain - visit(ply + 1, free, theirs, mine, key_of(free, theirs, mine, salt), next, left, depth - 1, gain - high, gain - low);
}

static i64 visit(int ply, u64 free, u64 mine, u64 theirs, u64 key, i64 side, i64 left, i64 depth, i64 low, i64 high) {
    nodes++;
    i64 value = ply ? look(free, mine, theirs, key, left, depth, low, high) : OPEN_END;
    if (value != OPEN_END) return value;
    i64 *list = lists[ply], best = -FAR_OFF, chosen = 0, floor = low, guessed = guesses, move = 0;
    int number = list_moves(list, free, mine, key, side, left);
    for (int next = 0; next < number && low < high; next++) {
        int first = next;
        for (int place = next + 1; place < number; place++)
            if (list[place] > list[first]) first = place;
        i64 swapped = list[next];
        list[next] = list[first], list[first] = swapped;
        move = list[next] & 4095;
        value = after(ply, move, free, mine, theirs, side, left, depth, low, next ? low + 1 : high);
        if (next && low < value && value < high) value = after(ply, move, free, mine, theirs, side, left, depth, low, high);
        if (value > best) {
            best = value, chosen = move;
            if (value > low) low = value;
        }
    }
    i64 bound = EXACT;
    if (best >= high) {
        bound = AT_LEAST;
        history[side][move] += depth * depth;
    } else if (best <= floor) bound = AT_MOST;
    keep(key, best, bound, guesses == guessed ? SOLVED : depth, chosen);
    if (ply == 0) best_move = chosen;
    return best;
}

/* Search to each depth in turn, as a player does, with nothing remembered: the value, the move and the nodes. */
void look_ahead(const u64 *board, u64 free, u64 mine, u64 theirs, i64 side, i64 left, i64 deepest, u64 salt, i64 *told) {
    floe = board, game = salt, nodes = 0;
    memset(history, 0, sizeof history);
    u64 key = key_of(free, mine, theirs, left > 0 ? salt ^ (u64)(side + 1) * SPREAD : salt);
    for (i64 depth = 1; depth <= deepest; depth++) {
        for (int move = 0; move < 4096; move++) history[0][move] >>= 1, history[1][move] >>= 1;
        guesses = 0;
        told[0] = visit(0, free, mine, theirs, key, side, left, depth, -FAR_OFF, FAR_OFF);
    }
    told[1] = best_move;
    told[2] = nodes;
}
