// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_CCURL_H
#define LATCHKEY_CCURL_H

#include <curl/curl.h>
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
