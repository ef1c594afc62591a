# SPDX-License-Identifier: Apache-2.0
"""What no client should send: each gets the right 4xx in the dialect's form, and the server goes on serving."""

import concurrent.futures
import http.client
import json
import socket
import sys
import urllib.parse

from support import BASE, PASSWORD, fresh_address, http, mail, settings, steps

config = settings()
anon = config["supabase"]["anonKey"]
AUTH = BASE + "/auth/v1"
HEADERS = {"apikey": anon}
host, port = urllib.parse.urlparse(BASE).hostname, urllib.parse.urlparse(BASE).port


def alive():
    # A store that is busy with what was just thrown at it may answer later than the check waits.
    for _ in range(10):
        status, _, body = http("GET", "/health/ready")
        if status == 200:
            break
    assert status == 200 and body["status"] == "ok", (status, body)


def refused(status, code, answer, label):
    got, _, body = answer
    assert got == status, (label, got, body)
    assert isinstance(body, dict) and body.get("error_code") == code, (label, body)


def raw(data, label="", wait=True):
    """What comes back for these bytes, if anything."""
    with socket.create_connection((host, port), timeout=20) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        received = b""
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except OSError:
            pass
        return received


def malformed_bodies():
    for body, code in [
        (b"{", "bad_json"), (b"[]", "bad_json"), (b'"x"', "bad_json"), (b"nul", "bad_json"), (b"\xff\xfe", "bad_json"),
        (b'{"email":"a@example.com","email":"b@example.com"}', "bad_json"), (b'{"email":1}', "bad_json"),
        (b'{"email":["a@example.com"]}', "bad_json"), (b'{"password":{}}', "validation_failed"),
        (b'{"email":NaN}', "bad_json"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "bad_json"), (b"[" * 100_000, "bad_json"),
        (b'{"a":1e999999}', "bad_json"), (b'{"email":"\\ud800@example.com"}', "bad_json"),
    ]:
        answer = http("POST", AUTH + "/token?grant_type=password", raw=body, headers=HEADERS)
        refused(400, code, answer, body[:60])
    alive()


def long_strings():
    long = "x" * (1 << 20)
    answer = http("POST", AUTH + "/token?grant_type=password", {"email": long, "password": "y"}, HEADERS)
    refused(413, "request_entity_too_large", answer, "a 1 MiB string")
    near = "x" * ((1 << 20) - 200)
    answer = http("POST", AUTH + "/token?grant_type=password", {"email": near + "@example.com", "password": "y"}, HEADERS)
    assert answer[0] == 400, answer[0]
    answer = http("POST", AUTH + "/token?grant_type=password",
                  {"email": fresh_address("long"), "password": "p" * 1_000_000}, HEADERS)
    refused(400, "invalid_credentials", answer, "a long password")
    answer = http("POST", AUTH + "/token?grant_type=refresh_token", {"refresh_token": "r" * 500_000}, HEADERS)
    refused(400, "refresh_token_not_found", answer, "a long refresh token")
    alive()


def passwords_that_are_too_long():
    firebase = "/identitytoolkit.googleapis.com/v1/accounts:{}?key=" + config["firebase"]["apiKey"]
    cognito = {"Content-Type": "application/x-amz-json-1.1"}
    owner, app = fresh_address("owner"), config["cognito"]["clientId"]
    assert http("POST", AUTH + "/signup", {"email": owner, "password": PASSWORD}, HEADERS)[0] == 200
    for password in ["Aa1-" * 1025, "Aa1-" * 200_000]:
        new = fresh_address("long")
        status, _, body = http("POST", AUTH + "/signup", {"email": new, "password": password}, HEADERS)
        assert status == 422 and body["error_code"] == "weak_password", body
        assert body["weak_password"]["reasons"] == ["length"], body
        for email in [owner, new]:
            answer = http("POST", AUTH + "/token?grant_type=password", {"email": email, "password": password}, HEADERS)
            refused(400, "invalid_credentials", answer, "a long password")
        status, _, body = http("POST", firebase.format("signUp"), {"email": new, "password": password})
        assert status == 400 and body["error"]["message"].startswith("WEAK_PASSWORD"), body
        for email in [owner, new]:
            status, _, body = http("POST", firebase.format("signInWithPassword"), {"email": email, "password": password})
            assert status == 400 and body["error"]["message"] == "INVALID_LOGIN_CREDENTIALS", body
        # The service itself takes 256 characters at most, and says so of every password alike.
        for operation, rest in [
            ("SignUp", {"Username": "long", "Password": password}),
            ("InitiateAuth", {"AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": {"USERNAME": owner, "PASSWORD": password}}),
        ]:
            target = {"X-Amz-Target": "AWSCognitoIdentityProviderService." + operation}
            status, _, body = http("POST", "/", {"ClientId": app} | rest, cognito | target)
            assert status == 400 and body["__type"] in ("InvalidParameterException", "NotAuthorizedException"), body
    alive()


def marks_without_end():
    """Combining marks in the wrong order, which take time that grows with the square of their number to put right."""
    run = "\u0307\u0323" * 100_000
    many = {"a%d" % n: n for n in range(20)}
    for body in [
        {"email": fresh_address("marks"), "password": "A1a" + run}, {"email": "e" + run + "@example.com", "password": "x"},
        {"email": fresh_address("marks"), "password": PASSWORD, "data": many | {"e" + run: 1}},
        {"email": fresh_address("marks"), "password": PASSWORD, "data": {"name": run}},
    ]:
        raw_body = json.dumps(body, ensure_ascii=False).encode()
        for path in ["/signup", "/token?grant_type=password"]:
            refused(400, "bad_json", http("POST", AUTH + path, raw=raw_body, headers=HEADERS), path)
        status, _, body = http("POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key="
                               + config["firebase"]["apiKey"], raw=raw_body)
        assert status == 400 and body["error"]["status"] == "INVALID_ARGUMENT", body
        status, _, body = http("POST", "/", raw=raw_body, headers={
            "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityProviderService.SignUp"})
        assert status == 400 and body["__type"] == "SerializationException", body
    short = urllib.parse.quote("\u0307\u0323" * 20)
    status, _, _ = http("POST", AUTH + "/token?grant_type=" + short, {}, HEADERS)
    assert status == 400, status
    marks = ("\u0307\u0323" * 20).encode()
    received = raw(b"GET /auth/v1/user HTTP/1.1\r\nHost: x\r\nX: " + marks + b"\r\nConnection: close\r\n\r\n")
    assert b" 400 " in received[:20], received[:80]
    alive()


def unknown_members_are_passed_over():
    answer = http("POST", AUTH + "/signup", {
        "email": fresh_address("extra"), "password": PASSWORD, "app_metadata": {"role": "admin"}, "role": "service_role",
        "email_confirmed_at": "2020-01-01T00:00:00Z", "provider": "google", "banned_until": "x"}, HEADERS)
    assert answer[0] == 200, answer
    user = answer[2]
    assert user["role"] == "authenticated" and user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert "email_confirmed_at" not in user


def wrong_methods_and_paths():
    status, headers, body = http("DELETE", AUTH + "/signup", headers=HEADERS)
    assert status == 405 and "POST" in headers["allow"] and body["error_code"], (status, headers, body)
    # What the platform has and is off here is answered as there, where the method is the platform's.
    for path in ["/factors", "/sso/saml/acs"]:
        status, headers, body = http("GET", AUTH + path, headers=HEADERS)
        assert status == 405 and "allow" in headers and body["error_code"], (path, status, body)
    for path in ["/nothing", "/admin", "/user/identities", "/..%2fadmin", "/;admin"]:
        status, _, body = http("GET", AUTH + path, headers=HEADERS)
        assert status == 404 and body["error_code"] == "not_found", (path, status, body)
    for method in ["TRACE", "CONNECT", "BREW"]:
        received = raw(f"{method} /auth/v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert b" 4" in received[:12] or received == b"", (method, received[:80])
    status, _, body = http("GET", "/v1/nothing")
    assert status == 404 and body["error"] == "not_found", body
    status, headers, body = http("PUT", "/v1/me")
    assert status == 405 and headers["allow"] == "GET", (status, headers)
    alive()


def missing_and_foreign_keys():
    body = {"email": "a@example.com", "password": "x"}
    for key in [None, "", "x", anon + "x", anon[:-6] + "AAAAAA", "sb_publishable_" + "a" * 40, "eyJhbGciOiJub25lIn0.e30."]:
        headers = {} if key is None else {"apikey": key}
        status, _, answer = http("POST", AUTH + "/token?grant_type=password", body, headers)
        assert status == 401 and answer["error_code"] == "no_authorization", (key, status, answer)


def forged_bearers():
    none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJ4Iiwicm9sZSI6InNlcnZpY2Vfcm9sZSJ9."
    for token in ["", "x", "a.b.c", none, anon, "." * 1000, "é", "Bearer"]:
        for path in ["/user", "/admin/users"]:
            header = dict(HEADERS, Authorization="Bearer " + token) if token != "é" else HEADERS
            status, _, body = http("GET", AUTH + path, headers=header)
            assert status in (401, 403), (token[:20], path, status, body)
        status, headers, body = http("GET", "/v1/me", headers={"Authorization": "Bearer " + (token if token != "é" else "")})
        assert status == 401 and "www-authenticate" in headers and body["error"], (token[:20], status, body)
    alive()


def every_tampered_refresh_token_is_unknown():
    token = http("POST", AUTH + "/signup", {}, HEADERS)[2]["refresh_token"]
    forms = [token[:n] for n in range(0, len(token), 7)] + [token[n:] for n in range(1, len(token), 7)]
    forms += [token.upper(), token.lower(), token + "=", token + "A", " " + token, token + "\n", token + "\u0000"]
    forms += [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1:] for i in range(0, len(token), 5)]
    for form in forms:
        status, _, body = http("POST", AUTH + "/token?grant_type=refresh_token", {"refresh_token": form}, HEADERS)
        assert status == 400 and body["error_code"] in ("refresh_token_not_found", "validation_failed"), (form, body)
    status, _, _ = http("POST", AUTH + "/token?grant_type=refresh_token", {"refresh_token": token}, HEADERS)
    assert status == 200


def repeated_and_broken_parameters():
    answer = http("POST", AUTH + "/token?grant_type=password&grant_type=refresh_token", {}, HEADERS)
    refused(400, "validation_failed", answer, "a parameter given twice")
    for query in ["grant_type=%", "grant_type=%zz", "grant_type=%ff", "a=" + "x" * 9000]:
        status, _, _ = http("POST", AUTH + "/token?" + query, {}, HEADERS)
        assert status in (400, 413, 414), (query[:20], status)


def cursors_and_pages():
    demo = config["demo"]
    session = http("POST", AUTH + "/token?grant_type=password", demo, HEADERS)[2]
    bearer = {"Authorization": "Bearer " + session["access_token"]}
    page = http("GET", "/v1/activities?limit=5", headers=bearer)[2]
    cursor = page["nextCursor"]
    for bad in ["x", cursor[:-2], cursor + "A", cursor[::-1], "'; DROP TABLE users; --", "A" * 5000]:
        status, _, body = http("GET", "/v1/activities?cursor=" + urllib.parse.quote(bad), headers=bearer)
        assert status in (400, 413) and body["error"], (bad[:20], status, body)
    other = http("POST", AUTH + "/signup", {}, HEADERS)[2]["access_token"]
    status, _, _ = http("GET", "/v1/activities?cursor=" + cursor, headers={"Authorization": "Bearer " + other})
    assert status == 400, "another user's cursor"
    for query in ["limit=0", "limit=101", "limit=x", "from=yesterday", "nonsense=1", "limit=1&limit=2"]:
        status, _, body = http("GET", "/v1/activities?" + query, headers=bearer)
        assert status == 400, (query, status, body)
    for body in [{"role": "admin"}, {"name": ""}, {"name": 1}, {"picture": "http://x.example/a.png"}, {"locale": "??"}]:
        status, _, answer = http("POST", "/v1/users/register", body, bearer)
        assert status == 400 and answer["field"], (body, status, answer)
    status, _, me = http("POST", "/v1/users/register", {"name": "Ada Lovelace", "locale": "en-GB"}, bearer)
    assert status == 200 and me["name"] == "Ada Lovelace", me


def admin_identifiers_are_uuids():
    bearer = {"apikey": anon, "Authorization": "Bearer " + config["supabase"]["serviceRoleKey"]}
    for bad in ["x", "..%2f..%2fsettings", "%00", "1" * 36, "00000000-0000-0000-0000-00000000000g"]:
        status, _, _ = http("GET", AUTH + "/admin/users/" + bad, headers=bearer)
        assert status == 404, (bad, status)
    for query in ["page=-1", "per_page=100000", "page=1e9", "page=99999999999999999999"]:
        status, _, body = http("GET", AUTH + "/admin/users?" + query, headers=bearer)
        assert status == 400, (query, status, body)
    status, _, body = http("POST", AUTH + "/admin/users", {"email": "x@example.com", "ban_duration": "forever"}, bearer)
    assert status == 400 and body["error_code"] == "validation_failed", body


def forged_hosts_do_not_reach_mails():
    for headers in [{"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}, {"Forwarded": "host=evil.example"},
                    {"X-Forwarded-Proto": "https"}, {"X-Original-Host": "evil.example"}, {"Referer": "http://evil.example"}]:
        address = fresh_address("host")
        status, _, _ = http("POST", AUTH + "/signup?redirect_to=http://evil.example/",
                            {"email": address, "password": PASSWORD}, {**HEADERS, **headers})
        assert status == 200, (headers, status)
        message = mail(address)
        assert "evil" not in json.dumps(message), message["link"]
        assert message["link"].startswith(BASE), message["link"]


def odd_forwarded_addresses_change_nothing():
    for value in ["a", "", "x" * 15000, "::1%eth0", "1.2.3.4:99999", "1.2.3.4, , ,", "\"", "unknown"]:
        status, _, _ = http("POST", AUTH + "/token?grant_type=password", {"email": "a@example.com", "password": "x"},
                            {**HEADERS, "X-Forwarded-For": value})
        assert status == 400, (value[:20], status)


def header_floods():
    request = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
    for flood in [b"a: b\r\n" * 200_000, b"a" * 200_000 + b": b\r\n", b"a: " + b"b" * 500_000 + b"\r\n"]:
        received = raw(request + flood + b"\r\n")
        assert b" 200 " not in received[:20], received[:80]
    raw(b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500)
    raw(b"POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}")
    raw(b"POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    raw(b"POST /auth/v1/signup HTTP/1.1\r\nHost: x:" + b"0" * 70_000 + b"80\r\n\r\n")
    alive()


def a_request_names_one_host():
    named = f"Host: {host}:{port}\r\n"
    for fields in ["", named + named, named + "Host: evil.example\r\n", "Host: evil.example\r\n" + named, "Host:\r\n",
                   f"Host: {host} evil.example\r\n", f"Host: {host}/evil\r\n", f"Host: evil@{host}\r\n"]:
        received = raw(f"GET /health/live HTTP/1.1\r\n{fields}\r\n".encode())
        assert received.startswith(b"HTTP/1.1 400 ") and received.count(b"HTTP/1.1") == 1, (fields, received[:80])
    # Those before it have their answers, and nothing after it is read.
    received = raw((f"GET /health/live HTTP/1.1\r\n{named}\r\n" + "GET /health/live HTTP/1.1\r\n\r\n"
                    + f"GET /health/live HTTP/1.1\r\n{named}\r\n").encode())
    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400"], received


def a_body_without_end_is_cut_off():
    with socket.create_connection((host, port), timeout=20) as connection:
        connection.sendall(b"POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\napikey: " + anon.encode()
                           + b"\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(40):
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        except OSError:
            pass
        try:
            answer = connection.recv(200)
        except ConnectionError:
            # Closed over what was still on its way: the answer may be lost with it.
            answer = b""
    assert b" 413 " in answer or answer == b"", answer
    alive()


def hundreds_of_wrong_passwords_at_once():
    address = fresh_address("guess")
    http("POST", AUTH + "/signup", {"email": address, "password": PASSWORD}, HEADERS)

    def guess(n):
        return http("POST", AUTH + "/token?grant_type=password", {"email": address, "password": f"Wrong-{n}-x"}, HEADERS)[0]

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        statuses = set(pool.map(guess, range(200)))
    assert statuses <= {400, 429, 503}, statuses
    alive()


def a_browser_on_another_origin_may_call():
    wanted = "authorization, apikey, content-type, x-client-info, x-supabase-api-version"
    status, headers, _ = http("OPTIONS", AUTH + "/token?grant_type=password", headers={
        "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": wanted})
    allowed = headers["access-control-allow-headers"].lower().split(", ")
    assert status == 204 and headers["access-control-allow-origin"] == "*", (status, headers)
    assert all(name in allowed for name in wanted.split(", ")), allowed
    assert "access-control-allow-credentials" not in headers, headers
    status, headers, _ = http("GET", AUTH + "/user", headers=HEADERS | {"Origin": "https://app.example"})
    assert status == 401 and headers["access-control-allow-origin"] == "*", (status, headers)
    assert "x-sb-error-code" in headers["access-control-expose-headers"].lower(), headers


steps(
    a_browser_on_another_origin_may_call,
    malformed_bodies,
    long_strings,
    passwords_that_are_too_long,
    marks_without_end,
    unknown_members_are_passed_over,
    wrong_methods_and_paths,
    missing_and_foreign_keys,
    forged_bearers,
    every_tampered_refresh_token_is_unknown,
    repeated_and_broken_parameters,
    cursors_and_pages,
    admin_identifiers_are_uuids,
    forged_hosts_do_not_reach_mails,
    odd_forwarded_addresses_change_nothing,
    header_floods,
    a_request_names_one_host,
    a_body_without_end_is_cut_off,
    hundreds_of_wrong_passwords_at_once,
)
