// SPDX-License-Identifier: Apache-2.0
// How many blocks of memory the process has asked for since it began. Always 0 where it can't be counted.
#pragma once
long latchkey_allocations(void);
