// SPDX-License-Identifier: Apache-2.0
// How far hashing threads stand behind the others: what that saves a thread that wakes each millisecond, as a request
// does, and what it leaves for hashing where other threads never rest.
//
//     cc -O2 Benchmarks/peers/hashing-priority.c -o hashing-priority -largon2 -lpthread
//     ./hashing-priority none|idle|batch19|nice10|nice19 BUSY_THREADS SECONDS

#define _GNU_SOURCE
#include <argon2.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *policy;
static atomic_long hashes;
static double late[1000000];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void stand_back(void) {
    struct sched_param parameters = {0};
    int failed = 0;
    if (!strcmp(policy, "idle")) failed = sched_setscheduler(0, SCHED_IDLE, &parameters);
    if (!strcmp(policy, "batch19")) failed = sched_setscheduler(0, SCHED_BATCH, &parameters) | setpriority(PRIO_PROCESS, 0, 19);
    if (!strncmp(policy, "nice", 4)) failed = setpriority(PRIO_PROCESS, 0, atoi(policy + 4));
    if (failed) perror(policy);
}

static void *hash(void *unused) {
    unsigned char tag[32];
    for (stand_back();; hashes++) argon2id_hash_raw(2, 19456, 1, "password", 8, "saltsaltsaltsalt", 16, tag, sizeof tag);
    return unused;
}

static void *never_rest(void *unused) {
    for (volatile long count = 0;; count++) {}
    return unused;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    policy = arguments[1];
    pthread_t thread;
    for (int index = 0; index < 2; index++) pthread_create(&thread, NULL, hash, NULL);
    for (int index = 0; index < atoi(arguments[2]); index++) pthread_create(&thread, NULL, never_rest, NULL);
    double begin = now(), end = begin + atof(arguments[3]) * 1e6;
    int woken = 0;
    while (now() < end && woken < 1000000) {
        double due = now() + 1000;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        double start = now();
        while (now() - start < 100) {}
        late[woken++] = now() - due - 100;
    }
    double seconds = (now() - begin) / 1e6;
    qsort(late, woken, sizeof *late, ascending);
    printf("late by %.0f us (median), %.0f us (99th percentile); %.1f hashes a second\n", late[woken / 2],
           late[woken * 99 / 100], hashes / seconds);
}
