# SPDX-License-Identifier: Apache-2.0
"""What operators' programs read, call after call, beside 500 `/v1/me` a second, of very many users."""

import concurrent.futures
import http.client
import json
import os
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from bench.data.filled import GROUP, fill, known
from bench.report import line, told
from bench.server import Server, sign_up
from bench.traffic.load import Load, Stream

TRAFFIC = 500
# Milliseconds: of what an index leads to, and of a page of any list.
INDEXED, LISTED = 3, 50


class Call:
    """One administrative call, over and over: `ask(number, cursor)` is a method, a path and a body, and `next` the cursor in an
    answer, which the next call goes on from. `bound` is in milliseconds; `None` where only others' requests are judged."""

    def __init__(self, name, bound, headers, ask, next=None):
        self.name, self.bound, self.headers, self.ask, self.next = name, bound, headers, ask, next

    def run(self, place, until):
        """Milliseconds of each call, of as many as there is time for; one at least."""
        connection, cursor, times = http.client.HTTPConnection(place.hostname, place.port, timeout=120), None, []
        while not times or time.monotonic() < until:
            method, path, body = self.ask(len(times), cursor)
            text = None if body is None else json.dumps(body)
            began = time.perf_counter()
            connection.request(method, path, text, self.headers)
            answer = connection.getresponse()
            content = answer.read()
            times.append((time.perf_counter() - began) * 1e3)
            assert answer.status == 200, (self.name, answer.status, content[:300])
            cursor = self.next(json.loads(content)) if self.next else None
        connection.close()
        return times


def supabase(server, users):
    key = server.settings["supabase"]["serviceRoleKey"]
    headers = {"apikey": key, "Authorization": "Bearer " + key}

    def call(name, bound, path):
        return Call("Supabase: " + name, bound, headers, lambda number, _: ("GET", "/auth/v1" + path(number), None))

    def quoted(text):
        return urllib.parse.quote(text)

    deep = max(1, users // 100)
    return [
        call("a page of users", LISTED, lambda number: f"/admin/users?page={1 + number}&per_page=50"),
        call(f"page {deep} of users", LISTED, lambda number: f"/admin/users?page={deep + number}&per_page=50"),
        call("the oldest users", LISTED, lambda number: f"/admin/users?page={1 + number}&sort=created_at%20asc"),
        call("users by a part of an address", None, lambda number: "/admin/users?filter=" + quoted(known(number * 7919 % users)[0][2:10])),
        call("users by a part that nobody has", None, lambda number: f"/admin/users?filter=nobody{number}"),
        call("a page of the audit log", LISTED, lambda number: f"/admin/audit?page={1 + number}&per_page=50"),
        call("the audit log by an action", LISTED, lambda number: "/admin/audit?query=action:login"),
        call("the audit log by an author", LISTED, lambda number: "/admin/audit?query=author:" + quoted(known(number * 7919 % users)[0])),
    ]


def cognito(server, users):
    pool = server.settings["cognito"]["userPoolId"]

    def call(name, bound, operation, body, token="PaginationToken"):
        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityProviderService." + operation,
                   "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/cognito-idp/aws4_request, "
                   "SignedHeaders=host, Signature=00"}
        asked = {}

        def ask(number, cursor):
            # A token is good in the list that gave it alone.
            asked["body"] = asked["body"] | {token: cursor} if cursor else {"UserPoolId": pool} | body(number)
            return "POST", "/", asked["body"]

        return Call(f"Cognito: {operation} {name}", bound, headers, ask, lambda answer: answer.get(token))

    def filtered(name, bound, text):
        return call(name, bound, "ListUsers", lambda number: {"Filter": text(*known(number * 7919 % users)), "Limit": 60})

    return [
        call("of all", LISTED, "ListUsers", lambda _: {"Limit": 60}),
        filtered("by address", INDEXED, lambda email, phone, name: f'email = "{email}"'),
        filtered("by an address's beginning", INDEXED, lambda email, phone, name: f'email ^= "{email[:6]}"'),
        filtered("by number", INDEXED, lambda email, phone, name: f'phone_number = "{phone}"'),
        filtered("by a number's beginning", INDEXED, lambda email, phone, name: f'phone_number ^= "{phone[:-1]}"'),
        filtered("by user name", INDEXED, lambda email, phone, name: f'username = "{email}"'),
        filtered("by a user name's beginning", INDEXED, lambda email, phone, name: f'username ^= "{email[:6]}"'),
        filtered("by sub", INDEXED, lambda email, phone, name: f'sub = "{email}"'),
        filtered("by a sub's beginning", INDEXED, lambda email, phone, name: 'sub ^= "0123abcd"'),
        filtered("by name", LISTED, lambda email, phone, name: f'name = "{name}"'),
        filtered("by a name that nobody has", LISTED, lambda email, phone, name: 'name = "Nobody"'),
        filtered("by a name's beginning", LISTED, lambda email, phone, name: f'given_name ^= "{name[:5]}"'),
        filtered("by status, enabled", LISTED, lambda email, phone, name: 'status = "Enabled"'),
        filtered("by status, disabled", LISTED, lambda email, phone, name: 'status = "Disabled"'),
        filtered("by standing, unconfirmed", LISTED, lambda email, phone, name: 'cognito:user_status = "UNCONFIRMED"'),
        filtered("by standing, confirmed", LISTED, lambda email, phone, name: 'cognito:user_status = "CONFIRMED"'),
        filtered("by standing, federated", LISTED, lambda email, phone, name: 'cognito:user_status = "EXTERNAL_PROVIDER"'),
        filtered("by a temporary password", LISTED, lambda email, phone, name: 'cognito:user_status = "FORCE_CHANGE_PASSWORD"'),
        call("of a group", LISTED, "ListUsersInGroup", lambda _: {"GroupName": GROUP, "Limit": 60}, "NextToken"),
        call("", LISTED, "ListGroups", lambda _: {"Limit": 60}, "NextToken"),
        call("", INDEXED, "AdminGetUser", lambda number: {"Username": known(number * 7919 % users)[0]}),
        call("", INDEXED, "AdminListGroupsForUser", lambda number: {"Username": known(number * 7919 % users)[0]}, "NextToken"),
        call("", LISTED, "DescribeUserPool", lambda _: {}),
    ]


def firebase(server, users):
    root = f"/identitytoolkit.googleapis.com/v1/projects/{server.settings['firebase']['projectId']}"
    headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}

    def call(name, bound, path, body=None, next=None):
        def ask(number, cursor):
            more = f"&nextPageToken={urllib.parse.quote(cursor)}" if cursor else ""
            return ("GET", root + path + more, None) if body is None else ("POST", root + path, body(number))
        return Call("Firebase: " + name, bound, headers, ask, next)

    def expressions(name, value):
        return lambda number: {"expression": [{name: value(number * 7919 % users)}]}

    return [
        call("batchGet of 1,000", LISTED, "/accounts:batchGet?maxResults=1000", next=lambda answer: answer.get("nextPageToken")),
        call("batchGet of 100", LISTED, "/accounts:batchGet?maxResults=100", next=lambda answer: answer.get("nextPageToken")),
        call("lookup by address", INDEXED, "/accounts:lookup", lambda number: {"email": [known(number * 7919 % users)[0]]}),
        call("lookup by number", INDEXED, "/accounts:lookup", lambda number: {"phoneNumber": [known((number * 7919 | 1) % users)[1]]}),
        call("query by address", INDEXED, "/accounts:query", expressions("email", lambda number: known(number)[0])),
        call("query by number", INDEXED, "/accounts:query", expressions("phoneNumber", lambda number: known(number | 1)[1])),
        call("query of all, 500 of them", LISTED, "/accounts:query", lambda _: {"sortBy": "CREATED_AT", "order": "ASC"}),
        call("query of all, from the 9,500th", LISTED, "/accounts:query", lambda _: {"sortBy": "CREATED_AT", "order": "DESC",
                                                                                   "offset": "9500", "limit": "500"}),
    ]


def own(server, token, users, user):
    headers = {"Authorization": "Bearer " + token}

    def call(name, path, bound=LISTED):
        def ask(_, cursor):
            return "GET", "/v1/admin" + path + (("&" if "?" in path else "?") + "cursor=" + cursor if cursor else ""), None
        return Call("/v1/admin: " + name, bound, headers, ask, lambda answer: answer.get("nextCursor"))

    return [call("users", "/users?limit=100"), call("a user", "/users/" + user, INDEXED),
            call("a user's sessions", f"/users/{user}/sessions", INDEXED), call("a user's consents", f"/users/{user}/consents", INDEXED),
            call("groups", "/groups"), call("audit", "/audit?limit=100"), call("audit of an action", "/audit?action=login"),
            call("audit of a user", "/audit?user=" + user), call("lockouts", "/lockouts")]


class Beside:
    """The latency of `/v1/me` at its rate, alone and beside what is done meanwhile."""

    def __init__(self, load, server, me, seconds):
        self.load, self.server, self.me, self.seconds = load, server, me, seconds

    def while_(self, work):
        """Milliseconds that 99 of 100 `/v1/me` take, those without an answer among them, and what `work` answers, which is told until
        when it has time."""
        running = subprocess.Popen(self.load.command(self.server.url, {self.me: TRAFFIC}, self.seconds, "poisson"),
                                   text=True, stdout=subprocess.PIPE)
        # The load's warm-up.
        time.sleep(0.5)
        done = work(time.monotonic() + self.seconds)
        report = json.loads(running.communicate()[0])
        return report["streams"]["me"]["p99"] / 1e3, done


def measure_administration(binaries, seconds, users, filled=None):
    """Every list with each of its filters, look-ups, searches and exports, in turns with `/v1/me` by itself."""
    seconds = min(seconds, 4)
    with tempfile.TemporaryDirectory(prefix="latchkey-bench-") as directory:
        path = filled or os.path.join(directory, "filled.sqlite")
        if not os.path.exists(path):
            fill(binaries, path, users)
        with Load(16) as load, Server(binaries, database=path, LATCHKEY_LOG_LEVEL="info") as server:
            return measure_calls(load, server, path, seconds, users)


def measure_calls(load, server, path, seconds, users):
    number = f"operator-{time.time_ns()}"
    session = sign_up(server, number)
    user = session["user"]["id"]
    groups = json.loads(server.command("group", "list", "--json", "--database", "sqlite:" + path))
    if all(group["name"] != "admin" for group in groups):
        server.command("group", "create", "admin", "--database", "sqlite:" + path)
    server.command("group", "add", "admin", f"bench{number}@example.com", "--database", "sqlite:" + path)
    session = server.call("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})
    token = session["access_token"]
    me = Stream("me", "GET /v1/me", {"Authorization": "Bearer " + token})
    beside, place = Beside(load, server, me, seconds), urllib.parse.urlsplit(server.url)
    calls = supabase(server, users) + cognito(server, users) + firebase(server, users) + own(server, token, users, user)
    alone, found = [beside.while_(lambda until: time.sleep(max(0, until - time.monotonic())))[0]], []
    for index, call in enumerate(calls):
        found.append((call.name, call.bound, *beside.while_(lambda until: call.run(place, until))))
        if index % 8 == 7:
            alone.append(beside.while_(lambda until: time.sleep(max(0, until - time.monotonic())))[0])

    def export(until):
        began = time.monotonic()
        with subprocess.Popen([os.path.join(server.binaries, "latchkey"), "user", "export", "--database", "sqlite:" + path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(max(0, until - time.monotonic()))
            process.terminate()
        return [(time.monotonic() - began) * 1e3]

    # How long a turn of the dearest scan is, as the next list sees it.
    search, one = calls[4], Call("", None, calls[0].headers, lambda *_: ("GET", "/auth/v1/admin/users?per_page=1", None))

    def behind_a_search(until):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            searching = pool.submit(search.run, place, until)
            times = one.run(place, until)
            searching.result()
        return times

    found.append(("a list of one user beside a search", LISTED, *beside.while_(behind_a_search)))
    found.append(("latchkey user export", None, *beside.while_(export)))
    usual, ok = statistics.median(alone), True
    told(f"/v1/me, {TRAFFIC} a second", f"99th percentile {usual:.2f} ms alone, the median of {len(alone)} runs of {seconds} s: "
         f"{min(alone):.2f} to {max(alone):.2f}; {users} users")
    for name, bound, p99, times in found:
        times.sort()
        middle, most = statistics.median(times), times[-1]
        # A look-up is the same each time. Pages are not: those are judged by the dearer ones.
        judged = middle if bound == INDEXED else times[int(0.9 * (len(times) - 1))]
        within = bound is None or judged <= bound
        ok = line(name, f"{len(times)} calls: median {middle:.2f}, at most {most:.2f} ms; /v1/me beside p99 {p99:.2f} ms",
                  f"{'median' if bound == INDEXED else 'p90'} {judged:.2f} ms; {p99 / usual:.2f} times",
                  f"{f'<= {bound} ms, ' if bound else ''}<= 2 times", within and p99 <= 2 * usual,
                  healthy=within and p99 <= max(6 * usual, 5)) and ok
    return ok
