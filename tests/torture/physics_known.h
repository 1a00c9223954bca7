/* What fails today and belongs to the physics, not to a fault of the code. A row
 * names words of a case, one of each group, the ways in which it may fail, and why
 * in a plain sentence. What never can be excused (a NaN in a frame or a report, a
 * leak, a lost particle) cannot be named here. A NaN that the library caught before
 * it showed can: as "nan caught", and "trouble" does not stand for it. */
#ifndef RILL_TORTURE_PHYSICS_KNOWN_H
#define RILL_TORTURE_PHYSICS_KNOWN_H

#include "physics_judge.h"

typedef struct torture_known {
    const char *words;  /* groups with spaces between, words of a group with | between */
    const char *faults; /* with | between */
    const char *why;
} torture_known;

static const torture_known known_failures[] = {
    {"pcisph h2.5|h3|h4", "trouble|energy|speed|sunk",
     "PCISPH blows up with supports above two diameters, even in a still tank."},
    {"pcisph h4 10:1|100:1 tense", "nan caught",
     "PCISPH with that support finds no finite pressure for light liquid with surface tension."},
    {"crush", "trouble", "Liquid pressed to a fifth of its volume leaves at any speed where it finds a gap."},
    {"crush 10:1|100:1", "nan caught", "Light liquid crushed by a heavy one leaves beyond all numbers."},
    {"crush iisph|pcisph", "nan caught", "IISPH and PCISPH find no finite pressure for liquid so crushed."},
    {"h1.2|h1.5 dfsph|iisph|pcisph|pbf", "trouble|energy|speed|sunk",
     "With supports below two diameters a particle has 6 to 18 neighbours, and uneven pressure feeds the flow."},
    {"h3|h4", "sunk",
     "With supports of three diameters and more these shallow liquids are all surface, where neighbours lack, and "
     "sink."},
    {"h4", "trouble|energy|speed", "What has sunk so springs back at walls that move."},
    {"h2.5 drop", "sunk", "The layer that drops fall on is three particles deep, all surface with this support, too."},
    {"h3 shaken|overturn", "energy", "What has sunk so springs back at walls that move and where liquids turn over."},
    {"h3 plate tiny", "trouble",
     "The plate starts within the support of the liquid; a tiny step that mends this at once makes a great speed of "
     "it."},
    {"10:1|100:1 overturn|shaken|plate|drop|ball", "trouble|energy|speed",
     "Liquid ten times lighter and more is thrown about by the heavy one that falls or is pushed into it."},
    {"100:1 dam iisph|pcisph", "trouble|energy|speed",
     "The same happens to light liquid that a heavy column falls on."},
    {"100:1 h2.5 still", "sunk", "Of light liquid above a heavy one half is surface with this support."},
    {"10:1|100:1 long|longest|h1.2|h1.5", "trouble|energy|speed|sunk",
     "With long steps or few neighbours that happens in every flow of such liquids."},
    {"3:1 overturn|shaken|plate", "energy|speed", "Interfaces that are torn apart gain energy from the density ratio."},
    {"pbf", "sunk|energy",
     "The few iterations of PBF leave liquid compressed: it sinks under its weight and springs back where bodies "
     "pressed it."},
    {"pbf longest", "trouble|speed", "A CFL number of 2 is more than the few iterations of PBF can mend."},
    {"wcsph long|longest", "trouble|energy|speed",
     "A CFL number of 1 and more is more than an explicit pressure can take."},
    {"wcsph inviscid", "energy", "Without viscosity nothing calms the sound in a liquid that can be compressed."},
    {"shaken long|longest", "energy",
     "Steps of a CFL number of 1 and more follow the shaking late, and the work counts wrong."},
    {"iisph|pcisph plate|piston|closing|shaken", "energy",
     "Bodies that start and stop at once leave liquid compressed, and IISPH and PCISPH let it spring back."},
    {"dfsph|wcsph plate|piston|pinch", "energy",
     "Bodies that stop at once leave liquid compressed by some per cent, which springs back."},
};
enum { KNOWN_COUNT = sizeof known_failures / sizeof *known_failures };

/* True when `word` is one of those in `group`. A | stands between two, another of `ends` behind the last. */
static inline bool group_has(const char *group, const char *ends, const char *word)
{
    const size_t length = strlen(word);
    while (true) {
        const size_t n = strcspn(group, ends);
        if (n == length && !strncmp(group, word, n)) return true;
        if (group[n] != '|') return false;
        group += n + 1;
    }
}

static inline bool known_matches(const torture_known *known, const torture_case *c)
{
    for (const char *group = known->words; *group; group += strcspn(group, " "), group += *group == ' ') {
        bool one = false;
        for (int a = 0; a < AXIS_COUNT; a++) one = one || group_has(group, "| ", axis_values[a][c->at[a]]);
        if (!one) return false;
    }
    return true;
}

/* The row that excuses a fault; KNOWN_COUNT: none. */
static inline uint32_t known_find(const torture_case *c, torture_fault fault)
{
    uint32_t k = 0;
    const bool never = fault <= FAULT_COUNT;
    while (k < KNOWN_COUNT && (never || !group_has(known_failures[k].faults, "|", fault_names[fault]) ||
                               !known_matches(&known_failures[k], c)))
        k++;
    return k;
}

#endif
