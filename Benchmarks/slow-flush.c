// SPDX-License-Identifier: Apache-2.0
// Makes every flush take a given time, as on a disk slower than this machine's. Loaded before the C library:
//   cc -shared -fPIC -o slow-flush.so slow-flush.c && LD_PRELOAD=./slow-flush.so FLUSH_MICROSECONDS=2000 …
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

static void wait_as_told(void) {
    const char *text = getenv("FLUSH_MICROSECONDS");
    long microseconds = text ? atol(text) : 0;
    struct timespec wait = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&wait, NULL);
}

int fsync(int descriptor) {
    wait_as_told();
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    wait_as_told();
    return (int)syscall(SYS_fdatasync, descriptor);
}
