// SPDX-License-Identifier: Apache-2.0
//
// How many instructions of the processor this program has taken so far, as valgrind's massif counts them: of valgrind's
// tools it alone both counts each and tells the program that asks, and costs an eighth of what callgrind does.
#ifndef LATCHKEY_INSTRUCTION_COUNT_H
#define LATCHKEY_INSTRUCTION_COUNT_H

#include <stdint.h>

/// Gives valgrind a command: `snapshot FILE` has the count of this moment written to that file of the working folder.
/// Does nothing outside of valgrind, nor where the build found no header of its.
void latchkey_tell_valgrind(const char *command);

/// The count that a file has; 0 where there is none.
uint64_t latchkey_instructions(const char *file);

#endif
