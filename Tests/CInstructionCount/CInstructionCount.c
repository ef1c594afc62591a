// SPDX-License-Identifier: Apache-2.0

#include "CInstructionCount.h"

#include <inttypes.h>
#include <stdio.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

void latchkey_tell_valgrind(const char *command) {
#ifdef VALGRIND_MONITOR_COMMAND
    (void)VALGRIND_MONITOR_COMMAND(command);
#else
    (void)command;
#endif
}

uint64_t latchkey_instructions(const char *file) {
    FILE *stream = fopen(file, "r");
    if (!stream) return 0;
    char line[1024];
    uint64_t count = 0;
    while (fgets(line, sizeof line, stream) && sscanf(line, "time=%" SCNu64, &count) != 1) continue;
    fclose(stream);
    return count;
}
