/* Particles from CSV. */
#include "particles.h"

static const char *const words[] = {"\n",
                                    "\r\n",
                                    ",",
                                    ";",
                                    "\t",
                                    "\"",
                                    "#",
                                    "x,y,z\n",
                                    "Points:0",
                                    "Points:1",
                                    "Points:2",
                                    "Pos.x [m]",
                                    "position_y",
                                    "[",
                                    ",,",
                                    "1,2,3\n",
                                    "vx,vy,vz",
                                    "a:0,a:1,a:2",
                                    "nan",
                                    "\xef\xbb\xbf",
                                    "red,green,blue",
                                    "x;y;z",
                                    "word",
                                    "_",
                                    " "};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    particles_try("input.csv", data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
