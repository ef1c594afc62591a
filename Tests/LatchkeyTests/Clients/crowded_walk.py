# SPDX-License-Identifier: Apache-2.0
"""Sign-ins for which there is no place, and everything else beside them: a server that hashes one password at a time, slowly,
and lets none wait."""

import http.client
import json
import threading
import time
import urllib.parse

from support import BASE, PASSWORD, http as call, settings, steps

config = settings()
ANON, KEY, CLIENT = config["supabase"]["anonKey"], config["firebase"]["apiKey"], config["cognito"]["clientId"]
WHO = "crowded@example.com"
place = urllib.parse.urlparse(BASE)
session = {}


class Crowd:
    """Clients of other addresses that sign in again as soon as they are answered, and keep the one place taken."""

    def __enter__(self):
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.retry, args=(f"127.0.3.{number + 1}",)) for number in range(6)]
        for thread in self.threads:
            thread.start()
        return self

    def retry(self, source):
        while not self.over.is_set():
            ask(source, "/auth/v1/token?grant_type=password", {"email": WHO, "password": "wrong " + PASSWORD}, {"apikey": ANON})

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()


def ask(source, path, body, headers, connection=None):
    """Status, headers and body, from an address of loopback's."""
    own = connection or http.client.HTTPConnection(place.hostname, place.port, timeout=60, source_address=(source, 0))
    try:
        own.request("POST", path, json.dumps(body), {"Content-Type": "application/json"} | headers)
        answer = own.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, json.loads(answer.read())
    finally:
        if connection is None:
            own.close()


def until(asked, is_wanted):
    """The first answer that is wanted, of whatever number it takes while the place is free for a moment."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        answer = asked()
        if is_wanted(answer):
            return answer
    raise AssertionError(answer)


def an_account():
    status, _, body = call("POST", "/auth/v1/signup", {"email": WHO, "password": PASSWORD}, {"apikey": ANON})
    assert status == 200, body
    session.update(body)


def each_dialect_says_in_its_own_words_that_there_is_no_place():
    with Crowd():
        status, headers, body = until(lambda: ask(
            "127.0.4.1", "/auth/v1/token?grant_type=password", {"email": WHO, "password": PASSWORD},
            {"apikey": ANON, "Accept-Language": "de", "Origin": "https://app.example"}), lambda answer: answer[0] == 503)
        assert body["error_code"] == "request_timeout" and body["code"] == 503 and body["localized_message"], body
        assert headers["retry-after"] == "2" and headers["access-control-allow-origin"] == "*", headers
        assert headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store", headers

        status, headers, body = until(lambda: ask(
            "127.0.4.2", f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={KEY}",
            {"email": WHO, "password": PASSWORD, "returnSecureToken": True}, {}), lambda answer: answer[0] == 503)
        assert body["error"]["status"] == "UNAVAILABLE" and headers["retry-after"] == "2", (headers, body)

        status, headers, body = until(lambda: ask(
            "127.0.4.3", "/", {"ClientId": CLIENT, "AuthFlow": "USER_PASSWORD_AUTH",
                               "AuthParameters": {"USERNAME": WHO, "PASSWORD": PASSWORD}},
            {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth"}),
            lambda answer: answer[2].get("__type") == "TooManyRequestsException")
        assert status == 400 and headers["x-amzn-errortype"].startswith("TooManyRequestsException"), headers


def whoever_has_a_session_notices_nothing():
    with Crowd():
        for _ in range(20):
            began = time.monotonic()
            status, _, body = call("GET", "/v1/me", headers={"Authorization": "Bearer " + session["access_token"]})
            assert status == 200, body
            status, _, body = call("POST", "/auth/v1/token?grant_type=refresh_token",
                                   {"refresh_token": session["refresh_token"]}, {"apikey": ANON})
            assert status == 200, body
            session.update(body)
            assert time.monotonic() - began < 5
            # By Cognito a refresh begins as a sign-in does.
            status, _, body = ask("127.0.4.4", "/", {"ClientId": CLIENT, "AuthFlow": "REFRESH_TOKEN_AUTH",
                                                     "AuthParameters": {"REFRESH_TOKEN": "none"}},
                                  {"X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth"})
            assert body["__type"] == "NotAuthorizedException", body


def who_goes_on_at_once_is_told_so_late_and_closed():
    with Crowd():
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60, source_address=("127.0.4.5", 0))
        began = 0

        def again():
            nonlocal began
            began = time.monotonic()
            return ask("127.0.4.5", "/auth/v1/token?grant_type=password", {"email": WHO, "password": PASSWORD},
                       {"apikey": ANON}, connection)
        status, headers, body = until(again, lambda answer: answer[0] == 429)
        assert body["error_code"] == "over_request_rate_limit", body
        assert headers["connection"] == "close" and headers["retry-after"] == "2" and "date" in headers, headers
        assert time.monotonic() - began >= 0.9


def who_comes_when_there_is_a_place_is_served():
    status, _, body = ask("127.0.4.5", "/auth/v1/token?grant_type=password", {"email": WHO, "password": PASSWORD},
                          {"apikey": ANON})
    assert status == 200, body


steps(an_account, each_dialect_says_in_its_own_words_that_there_is_no_place, whoever_has_a_session_notices_nothing,
      who_goes_on_at_once_is_told_so_late_and_closed, who_comes_when_there_is_a_place_is_served)
