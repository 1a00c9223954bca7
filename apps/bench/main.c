/* rill-bench, the program behind `rill bench`: measures the machine, then rill on it, and prints the table. */
#include "parts.h"
#include "program.h"

int main(int count, char **words)
{
    int code;
    bench_request request;
    program_begin();
    if (bench_child_run(count - 1, words + 1, &code)) return program_end(code);
    if (!bench_request_read(count - 1, words + 1, &request, &code)) return program_end(code);
    code = bench_run(&request);
    bench_request_free(&request);
    return program_end(code);
}
