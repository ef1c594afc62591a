// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_CCURL_H
#define LATCHKEY_CCURL_H

#include <curl/curl.h>
#include <fcntl.h>
#include <string.h>

// Swift cannot call libcurl's variadic functions; these have one type each.

static inline CURLcode latchkey_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode latchkey_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode latchkey_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline long latchkey_curl_response_code(CURL *handle) {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

static inline CURLMcode latchkey_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// `http` and `https` and nothing else, whatever is redirected to.
static inline CURLcode latchkey_curl_limit_to_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode result = curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    long protocols = CURLPROTO_HTTP | CURLPROTO_HTTPS;
    CURLcode result = curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, protocols);
    return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_PROTOCOLS, protocols);
#endif
}

static inline int latchkey_curl_close_on_exec(void *context, curl_socket_t file, curlsocktype purpose) {
    (void)context;
    (void)purpose;
    return fcntl(file, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

/// Keeps connections from the programs that this process starts.
static inline CURLcode latchkey_curl_keep_sockets(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, latchkey_curl_close_on_exec);
}

/// Lets go of a name that is being looked up without waiting for the resolver's answer, where libcurl can.
static inline void latchkey_curl_leave_resolver(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
#endif
}

/// Sends a copy of these bytes. `bytes` is not null, even for none.
static inline CURLcode latchkey_curl_set_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

typedef size_t (*latchkey_curl_receiver)(char *bytes, size_t size, size_t items, void *context);

/// Gives each line of an answer's head, and each part of its body, to a function together with `context`.
static inline CURLcode latchkey_curl_receive(
    CURL *handle, latchkey_curl_receiver line, latchkey_curl_receiver part, void *context
) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, line);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, part);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    return result;
}

/// The bytes of a message that are still to be sent.
struct latchkey_upload {
    const void *bytes;
    size_t count;
    size_t offset;
};

static inline size_t latchkey_curl_read(char *buffer, size_t size, size_t items, void *context) {
    struct latchkey_upload *upload = (struct latchkey_upload *)context;
    size_t room = size * items;
    size_t left = upload->count - upload->offset;
    size_t count = left < room ? left : room;
    memcpy(buffer, (const char *)upload->bytes + upload->offset, count);
    upload->offset += count;
    return count;
}

/// Sends the message and waits for the server's last word. `upload` need live no longer than the call.
static inline CURLcode latchkey_curl_send(CURL *handle, struct latchkey_upload *upload) {
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, latchkey_curl_read);
    curl_easy_setopt(handle, CURLOPT_READDATA, upload);
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    return curl_easy_perform(handle);
}

#endif
