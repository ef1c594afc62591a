// SPDX-License-Identifier: Apache-2.0
// Asks a server at a rate that does not depend on its answers, and counts each answer from the moment its request was due:
// who waits for a connection, or behind others, waits. (A client that asks again when it has been answered stops asking while the
// server is slow, and so never sees it slow: "coordinated omission".)
//
//   cc -O2 -o open-loop open-loop.c -lm
//   open-loop HOST PORT CONNECTIONS SECONDS WARM-UP constant|poisson SEED NAME:RATE:REQUEST[:TOKENS] …
//
// CONNECTIONS are those of each stream: they are kept, and carry one request at a time.
// REQUEST is a file: the request's line and fields, an empty line, its body; Host and Content-Length are added. TOKENS is a file with
// a refresh token a line, each of a session of its own: the request's "@@" is the token that the session's last answer gave, and
// a session has one request under way at a time; the file is left with what the sessions have then. Prints one JSON object; times are microseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS = 8, ANSWER = 1 << 16, TOKEN = 4096 };
// Whoever waits longer than this for a connection shows that the server does not keep up: the run ends.
static const int64_t GIVE_UP = 1000000000, LAST_ANSWERS = 5000000000;

struct session { char token[TOKEN]; struct session *next; };

struct stream {
    char *name, *head, *body;
    double rate;
    // When each request is due, in order: sent ones come first, then those that wait.
    int64_t *due, next;
    size_t sent, waiting_end, capacity;
    struct session *free_first, *free_last;
    // The file that sessions come from, and that they are left in.
    const char *tokens;
    // Each kind of request comes from clients of its own: who waits for a hash keeps no other's connection busy.
    struct connection *free_connection, *last_connection;
    uint32_t *times, *late;
    size_t count, late_count, answered, failed;
};

struct connection {
    int descriptor, is_busy;
    struct stream *stream;
    struct session *session;
    int64_t due;
    size_t length;
    struct connection *next;
    char answer[ANSWER + 1];
};

static struct stream streams[STREAMS];
static int stream_count, poller;
static struct sockaddr_in address;
static size_t in_flight;
static uint64_t state;
static int is_poisson, first_failure;
static int64_t counted_from;

static void stop(const char *what) {
    fprintf(stderr, "open-loop: %s\n", what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// splitmix64 (Steele, Lea, Flood 2014), as a number above 0 and at most 1.
static double random_share(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)(((z ^ (z >> 31)) >> 11) + 1) / 9007199254740992.0;
}

static int64_t interval(const struct stream *stream) {
    return (int64_t)(1e9 / stream->rate * (is_poisson ? -log(random_share()) : 1));
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) stop("out of memory");
    return memory;
}

static char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) stop("a file is not there");
    char *text = room(1, ANSWER);
    if (fread(text, 1, ANSWER - 1, file) == ANSWER - 1) stop("a request is too long");
    fclose(file);
    return text;
}

static void put_free(struct connection *connection) {
    connection->is_busy = 0;
    connection->next = NULL;
    struct stream *stream = connection->stream;
    if (stream->last_connection) stream->last_connection->next = connection; else stream->free_connection = connection;
    stream->last_connection = connection;
}

static void release(struct stream *stream, struct session *session) {
    if (!session) return;
    session->next = NULL;
    if (stream->free_last) stream->free_last->next = session; else stream->free_first = session;
    stream->free_last = session;
}

static void connect_one(struct connection *connection) {
    int on = 1;
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->descriptor < 0 || connect(connection->descriptor, (void *)&address, sizeof address)) stop("no connection");
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, connection->descriptor, &event)) stop("no poller");
}

static void add_stream(char *text, double seconds) {
    struct stream *stream = &streams[stream_count++];
    char *path, *tokens, *rate;
    stream->name = strtok(text, ":");
    rate = strtok(NULL, ":");
    path = strtok(NULL, ":");
    tokens = strtok(NULL, ":");
    if (!stream->name || !rate || !path || (stream->rate = atof(rate)) <= 0) stop("a stream is NAME:RATE:REQUEST[:TOKENS]");
    stream->head = contents(path);
    stream->body = strstr(stream->head, "\n\n");
    if (!stream->body) stop("a request has no empty line");
    *stream->body = 0;
    stream->body += 2;
    stream->capacity = (size_t)(stream->rate * seconds * 1.5 + 1000);
    stream->due = room(stream->capacity, sizeof *stream->due);
    stream->times = room(stream->capacity, sizeof *stream->times);
    stream->late = room(stream->capacity, sizeof *stream->late);
    if (!tokens) return;
    stream->tokens = tokens;
    FILE *file = fopen(tokens, "r");
    if (!file) stop("a file of tokens is not there");
    for (;;) {
        struct session *session = room(1, sizeof *session);
        if (!fgets(session->token, TOKEN, file)) break;
        session->token[strcspn(session->token, "\n")] = 0;
        release(stream, session);
    }
    fclose(file);
}

// Whoever runs next goes on with the sessions as they are now. One whose last answer is not known is not among them.
static void leave_sessions(const struct stream *stream) {
    FILE *file = stream->tokens ? fopen(stream->tokens, "w") : NULL;
    if (!file) return;
    for (struct session *session = stream->free_first; session; session = session->next) fprintf(file, "%s\n", session->token);
    fclose(file);
}

static void put(char *out, size_t *length, const char *text, size_t count) {
    if (*length + count >= ANSWER) stop("a request is too long");
    memcpy(out + *length, text, count);
    *length += count;
}

// The request's text, with lines that end as HTTP's do.
static void send_one(struct stream *stream, int64_t time) {
    struct connection *connection = stream->free_connection;
    stream->free_connection = connection->next;
    if (!stream->free_connection) stream->last_connection = NULL;
    static char out[ANSWER], body[ANSWER];
    size_t length = 0, body_length = 0;
    const char *mark = stream->tokens ? strstr(stream->body, "@@") : NULL;
    connection->session = NULL;
    if (stream->tokens) {
        connection->session = stream->free_first;
        stream->free_first = connection->session->next;
        if (!stream->free_first) stream->free_last = NULL;
    }
    if (mark) {
        put(body, &body_length, stream->body, (size_t)(mark - stream->body));
        put(body, &body_length, connection->session->token, strlen(connection->session->token));
        put(body, &body_length, mark + 2, strlen(mark + 2));
    } else {
        put(body, &body_length, stream->body, strlen(stream->body));
    }
    for (const char *line = stream->head; *line;) {
        size_t count = strcspn(line, "\n");
        put(out, &length, line, count);
        put(out, &length, "\r\n", 2);
        line += count + (line[count] == '\n');
    }
    char fields[96];
    int written = body_length ? snprintf(fields, sizeof fields, "Host: localhost\r\nContent-Length: %zu\r\n\r\n", body_length)
                              : snprintf(fields, sizeof fields, "Host: localhost\r\n\r\n");
    put(out, &length, fields, (size_t)written);
    put(out, &length, body, body_length);
    connection->due = stream->due[stream->sent++];
    connection->length = 0;
    connection->is_busy = 1;
    in_flight++;
    if (connection->due >= counted_from) stream->late[stream->late_count++] = (uint32_t)((time - connection->due) / 1000);
    // A connection has one request under way, which its buffer has room for. One that was just closed is seen when it is read.
    if (send(connection->descriptor, out, length, MSG_NOSIGNAL) != (ssize_t)length && errno != EPIPE && errno != ECONNRESET)
        stop("a request was not taken");
}

static void send_due(int64_t time) {
    while (1) {
        struct stream *next = NULL;
        for (struct stream *stream = streams; stream < streams + stream_count; stream++) {
            if (stream->sent == stream->waiting_end || !stream->free_connection || (stream->tokens && !stream->free_first)) continue;
            if (!next || stream->due[stream->sent] < next->due[next->sent]) next = stream;
        }
        if (!next) return;
        send_one(next, time);
    }
}

static void finish(struct connection *connection, int is_good, int64_t time) {
    struct stream *stream = connection->stream;
    if (is_good) stream->answered++; else stream->failed++;
    // What failed counts as well: a refusal that is slow is slow.
    if (connection->due >= counted_from) stream->times[stream->count++] = (uint32_t)((time - connection->due) / 1000);
    // Which token is the session's last is not known where no answer told it.
    if (is_good) release(stream, connection->session);
    in_flight--;
    connection->is_busy = 0;
}

// Whether the answer is complete; `*is_good` where its status is 200 to 299 and a session has its next token.
static int is_complete(struct connection *connection, int *is_good) {
    char *end = strstr(connection->answer, "\r\n\r\n"), *length = strcasestr(connection->answer, "\r\ncontent-length:");
    if (!end) return 0;
    if (!length || length > end) stop("an answer does not tell its length");
    size_t whole = (size_t)(end + 4 - connection->answer) + strtoul(length + 17, NULL, 10);
    if (whole > ANSWER) stop("an answer is too long");
    if (connection->length < whole) return 0;
    int status = atoi(connection->answer + 9);
    *is_good = status >= 200 && status < 300;
    if (!*is_good && !first_failure) first_failure = status;
    if (*is_good && connection->session) {
        char *token = strstr(end, "\"refresh_token\":\"");
        size_t count = token ? strcspn(token += 17, "\"") : 0;
        if (!count || count >= TOKEN) stop("an answer has no refresh token");
        memcpy(connection->session->token, token, count);
        connection->session->token[count] = 0;
    }
    return 1;
}

static void read_answer(struct connection *connection) {
    ssize_t count = recv(connection->descriptor, connection->answer + connection->length, ANSWER - connection->length, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    int is_good = 0, was_busy = connection->is_busy;
    if (count <= 0) {
        close(connection->descriptor);
        connect_one(connection);
        if (!was_busy) return;
        finish(connection, 0, now());
        put_free(connection);
        return;
    }
    connection->length += (size_t)count;
    connection->answer[connection->length] = 0;
    if (!was_busy) stop("an answer that nobody asked for");
    if (!is_complete(connection, &is_good)) return;
    finish(connection, is_good, now());
    put_free(connection);
}

static int by_size(const void *first, const void *second) {
    uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return (a > b) - (a < b);
}

static uint32_t percentile(const uint32_t *sorted, size_t count, double share) {
    return count ? sorted[(size_t)(share * (double)(count - 1))] : 0;
}

int main(int count, char **arguments) {
    if (count < 9 || count - 8 > STREAMS) stop("HOST PORT CONNECTIONS SECONDS WARM-UP constant|poisson SEED STREAM…");
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(arguments[2]));
    if (inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) stop("HOST is an IPv4 address");
    int connections = atoi(arguments[3]);
    double seconds = atof(arguments[4]), warm_up = atof(arguments[5]);
    is_poisson = !strcmp(arguments[6], "poisson");
    state = strtoull(arguments[7], NULL, 10);
    for (int index = 8; index < count; index++) add_stream(arguments[index], seconds + warm_up);
    // It stands for clients on other machines: it is not to wait for the server's threads. Where that is not allowed it says so.
    struct sched_param priority = {.sched_priority = 1};
    int is_realtime = !sched_setscheduler(0, SCHED_RR, &priority);
    prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0);
    poller = epoll_create1(EPOLL_CLOEXEC);
    connections *= stream_count;
    struct connection *all = room((size_t)connections, sizeof *all);
    for (int index = 0; index < connections; index++) {
        all[index].stream = &streams[index % stream_count];
        connect_one(&all[index]);
        put_free(&all[index]);
    }
    int64_t began = now(), last_due = began + (int64_t)((seconds + warm_up) * 1e9);
    counted_from = began + (int64_t)(warm_up * 1e9);
    for (struct stream *stream = streams; stream < streams + stream_count; stream++)
        // Streams of one rate are not to ask at the same moments.
        stream->next = began + (int64_t)(1e9 / stream->rate * random_share());
    int has_given_up = 0;
    while (1) {
        int64_t time = now(), next = INT64_MAX;
        size_t waiting = 0;
        for (struct stream *stream = streams; stream < streams + stream_count && !has_given_up; stream++) {
            while (stream->next <= time && stream->next < last_due && stream->waiting_end < stream->capacity) {
                stream->due[stream->waiting_end++] = stream->next;
                stream->next += interval(stream);
            }
            if (stream->next < next) next = stream->next;
        }
        if (!has_given_up) send_due(time);
        for (struct stream *stream = streams; stream < streams + stream_count && !has_given_up; stream++) {
            waiting += stream->waiting_end - stream->sent;
            if (stream->sent == stream->waiting_end || time - stream->due[stream->sent] < GIVE_UP) continue;
            has_given_up = 1;
            // What is under way is heard out.
            last_due = next = time;
            waiting = 0;
        }
        if ((next >= last_due && waiting + in_flight == 0) || time > last_due + LAST_ANSWERS) break;
        if (next >= last_due) next = last_due + LAST_ANSWERS;
        struct timespec rest = {(next - time) / 1000000000, (next - time) % 1000000000};
        if (next <= time) rest = (struct timespec){0, 0};
        struct epoll_event events[64];
        int ready = epoll_pwait2(poller, events, 64, &rest, NULL);
        for (int index = 0; index < ready; index++) read_answer(events[index].data.ptr);
    }
    int64_t ended = now();
    // Who was not answered has waited until now.
    for (int index = 0; index < connections; index++)
        if (all[index].is_busy) finish(&all[index], 0, ended);
    double lasted = (double)((ended < last_due ? ended : last_due) - began) / 1e9;
    printf("{\"seconds\": %.3f, \"gaveUp\": %s, \"realtime\": %s, \"firstFailure\": %d, \"streams\": {", lasted,
           has_given_up ? "true" : "false", is_realtime ? "true" : "false", first_failure);
    for (struct stream *stream = streams; stream < streams + stream_count; stream++) {
        while (stream->sent < stream->waiting_end) {
            int64_t due = stream->due[stream->sent++];
            stream->failed++;
            if (due >= counted_from) stream->times[stream->count++] = (uint32_t)((ended - due) / 1000);
        }
        qsort(stream->times, stream->count, sizeof *stream->times, by_size);
        qsort(stream->late, stream->late_count, sizeof *stream->late, by_size);
        printf("%s\"%s\": {\"answered\": %zu, \"failed\": %zu, \"counted\": %zu, \"p50\": %u, \"p99\": %u, \"p999\": %u, \"most\": %u, "
               "\"unsent99\": %u}", stream == streams ? "" : ", ", stream->name, stream->answered, stream->failed, stream->count,
               percentile(stream->times, stream->count, 0.5), percentile(stream->times, stream->count, 0.99),
               percentile(stream->times, stream->count, 0.999), percentile(stream->times, stream->count, 1),
               percentile(stream->late, stream->late_count, 0.99));
        leave_sessions(stream);
    }
    printf("}}\n");
    return 0;
}
