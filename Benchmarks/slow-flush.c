// SPDX-License-Identifier: Apache-2.0
// Makes every flush take a given time, as on a disk slower than this machine's, and counts them in a file (eight octets, in the order
// of this machine). Loaded before the C library:
//   cc -shared -fPIC -o slow-flush.so slow-flush.c && LD_PRELOAD=./slow-flush.so FLUSH_MICROSECONDS=2000 FLUSH_COUNT=./count …
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t *count;

__attribute__((constructor)) static void begin_counting(void) {
    const char *path = getenv("FLUSH_COUNT");
    int descriptor = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (descriptor < 0) return;
    void *memory = ftruncate(descriptor, sizeof *count) ? MAP_FAILED
        : mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory != MAP_FAILED) count = memory;
}

static void wait_as_told(void) {
    if (count) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    const char *text = getenv("FLUSH_MICROSECONDS");
    long microseconds = text ? atol(text) : 0;
    if (microseconds <= 0) return;
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
