/* What the machine has and what the process used of it. */
#ifndef RILL_APP_MACHINE_H
#define RILL_APP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define MACHINE_COMPILER "clang " __clang_version__
#else
#define MACHINE_COMPILER "gcc " __VERSION__
#endif

uint64_t machine_memory_available(void);        /* bytes; UINT64_MAX when unknown */
uint64_t machine_disk_free(const char *path);   /* bytes where the path is or would be; UINT64_MAX when unknown */
uint64_t machine_peak_memory(void);             /* bytes this process ever held */
double machine_cpu_seconds(void);               /* of this process, all threads */
double machine_load(void);                      /* processes that wanted a core in the last minute; negative: unknown */
double machine_seconds(void);                   /* a clock that only goes forward */
int machine_terminal_width(void);               /* of stderr; 0 when it is no terminal */
void machine_cpu_name(char *text, size_t size);
void machine_date(char *text, size_t size);     /* today */
void machine_line(unsigned threads, char *text, size_t size); /* processor, threads (0: all cores), compiler, today */
unsigned machine_cores(void);                   /* this process may use */

#endif
