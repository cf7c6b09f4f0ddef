// A multiprocessor that runs one group of threads at a time, and what it counts.
#pragma once
#include <climits>
#include "arithmetic.hh"

const uint32_t UNDEFINED = 0xcdcdcdcd;
const uint64_t LOCAL_WINDOW = 0x7f1000000000, LOCAL_BYTES = 1 << 15;
const uint64_t SHARED_WINDOW = 0x7f0000000000, SHARED_BYTES = 1 << 24, MOST_INSTRUCTIONS = 2000000000;

// What a barrier finds of the predicates of the group's threads.
enum class Vote { ANY, ALL, COUNT };

enum class Space { none_, global_, shared_, local_, generic_, texture_ };

// Ends the run with a message.
[[noreturn]] void fail(const char *message);

struct Warp {
    uint32_t r[256][32], p[8], ur[64], up[8];
    // Lanes that a convergence barrier waits for, and those that have come.
    uint32_t expected[16], arrived[16];
    uint32_t exited, blocked, at_group_barrier;
    int pc[32], number;

    void go_on(uint32_t lanes, int after) { jump(lanes, after + 1); }
    void jump(uint32_t lanes, int to) {
        for (int lane = 0; lane < 32; lane++)
            if (lanes >> lane & 1) pc[lane] = to;
    }
    void release(int barrier) {
        if (arrived[barrier] && (arrived[barrier] & ~exited) == (expected[barrier] & ~exited))
            blocked &= ~arrived[barrier], arrived[barrier] = 0;
    }
    void release_all() {
        for (int barrier = 0; barrier < 16; barrier++) release(barrier);
    }
    void arrive(int barrier, uint32_t lanes) { blocked |= lanes, arrived[barrier] |= lanes, release(barrier); }
    void leave(int barrier, uint32_t lanes) { expected[barrier] &= ~lanes, release_all(); }
    void exit(uint32_t lanes) { exited |= lanes, release_all(); }
    void wait_for_group(uint32_t lanes) { at_group_barrier |= lanes, blocked |= lanes; }

    void count(int pc, uint32_t lanes);
    void count_access(int pc, uint32_t lanes, const uint64_t *addresses);
    void count_shared(int pc, uint32_t lanes, const uint64_t *addresses, int size);
};

struct Machine {
    uint32_t grid[3], block[3], group[3];
    uint64_t executed;
    // Of the group's barrier: its vote, how many threads were asked and said yes; and what the last one found.
    Vote vote;
    uint32_t asked, yes, found;

    void ask(Vote kind, uint32_t lanes, uint32_t which) {
        vote = kind, asked += __builtin_popcount(lanes), yes += __builtin_popcount(which);
    }
    void end_vote() {
        if (asked) found = vote == Vote::ANY ? yes > 0 : vote == Vote::ALL ? yes == asked : yes;
        asked = yes = 0;
    }

    // Each fails where the bytes are outside or not aligned.
    char *global_memory(uint64_t address, int size, const Warp &w, int lane);
    char *shared_memory(uint64_t address, int size, const Warp &w, int lane);
    char *local_memory(uint64_t address, int size, const Warp &w, int lane);
    char *generic_memory(uint64_t address, int size, const Warp &w, int lane);
    // The texel at these coordinates, or at the edge; where it is.
    uint64_t texel(uint32_t texture, float x, float y, float *channels);
    uint64_t write_texel(uint32_t texture, uint32_t byte, uint32_t row, uint32_t value);
};
extern Machine machine;

uint32_t constant(int bank, uint32_t offset);

inline uint32_t thread(const Warp &w, int lane, int axis) {
    uint32_t number = w.number * 32 + lane;
    if (axis == 0) return number % machine.block[0];
    return axis == 1 ? number / machine.block[0] % machine.block[1] : number / machine.block[0] / machine.block[1];
}

// Of the code that is executed: what each instruction accesses, and how many bytes a lane does.
extern const Space SPACES[];
extern const int SIZES[];
extern const int INSTRUCTIONS;
// Executes until no lane can go on.
void run(Warp &w);

// `step` executes one instruction, and tells whether lanes have gone elsewhere. Lanes furthest behind come first.
template <class Step> inline void run_warp(Warp &w, Step step) {
    for (;;) {
        uint32_t runnable = ~w.exited & ~w.blocked, active = 0;
        if (!runnable) return;
        int pc = INT_MAX, next = INT_MAX;
        for (int lane = 0; lane < 32; lane++) {
            if (!(runnable >> lane & 1)) continue;
            if (w.pc[lane] < pc) next = pc, pc = w.pc[lane], active = 0;
            if (w.pc[lane] == pc) active |= 1u << lane;
            else if (w.pc[lane] < next) next = w.pc[lane];
        }
        for (;;) {
            if (++machine.executed > MOST_INSTRUCTIONS) fail("it doesn't end");
            if (step(w, active, pc)) break;
            if (++pc >= next) {
                w.jump(active, pc);
                break;
            }
        }
    }
}
