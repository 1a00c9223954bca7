/* Particles from XYZ. */
#include "particles.h"

static const char *const words[] = {"\n", "\r\n", " ", "\t", ",", ";", "#", "x y z\n", "O ", "2\n\n", "1 2 3\n", "nan",
                                    "\xef\xbb\xbf", "e5", "d-3", "\f", "\v", "vx vy vz", "column"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    particles_try("input.xyz", data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
