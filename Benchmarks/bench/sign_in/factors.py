# SPDX-License-Identifier: Apache-2.0
"""Second factors, the lock, and deletions beside traffic."""

import concurrent.futures
import http.client
import json
import os
import sqlite3
import threading
import time
import urllib.parse
import uuid

from bench.places import CORES, ITERATIONS, MEMORY, PASSWORD
from bench.report import line, told
from bench.server import Server, sign_up
from bench.sign_in.authenticator import FactorOwner
from bench.sign_in.passwords import rates


def measure_factors(binaries, seconds, owners=1536, clients=64):
    """A step-up by an app's code and a sign-in by a passkey against a refresh, in turns; what the lock costs a sign-in; and what others
    notice of somebody's deletion."""
    ok = measure_step_ups(binaries, owners, clients)
    ok = measure_lock(binaries, seconds) and ok
    return measure_deletion(binaries, seconds) and ok


def measure_step_ups(binaries, owners, clients):
    with Server(binaries, LATCHKEY_DIRECTORY_PASSKEYS_ENABLED="true",
                LATCHKEY_DIRECTORY_SITE_URL="https://" + FactorOwner.site) as server:
        place, local = urllib.parse.urlsplit(server.url), threading.local()

        def call(path, body, token="", admin=False):
            if not hasattr(local, "connection"):
                local.connection = http.client.HTTPConnection(place.hostname, place.port)
            key = server.settings["supabase"]["serviceRoleKey"] if admin else server.key
            headers = {"apikey": key, "Content-Type": "application/json"}
            headers |= {"Authorization": "Bearer " + (key if admin else token)} if admin or token else {}
            local.connection.request("POST", "/auth/v1" + path, json.dumps(body), headers)
            answer = local.connection.getresponse()
            content = answer.read()
            assert answer.status == 200, (path, answer.status, content)
            return json.loads(content)

        pool = concurrent.futures.ThreadPoolExecutor(8)
        people = list(pool.map(lambda number: FactorOwner(call, number), range(owners)))
        tokens = os.path.join(server.directory, "tokens")
        sessions = pool.map(lambda owner: call(*owner.sign_in(call))["refresh_token"], people[:clients])
        with open(tokens, "w") as file:
            file.write("\n".join(sessions) + "\n")
        rows = os.path.join(server.directory, "rows")

        def send(requests):
            with open(rows, "w") as file:
                file.writelines(f"/auth/v1{path}\t{token}\t{json.dumps(body)}\n" for path, body, token in requests)
            return rate("rows.lua", len(requests), BENCH_ROWS=rows, BENCH_THREADS=str(clients))

        def rate(script, count=None, **variables):
            """Requests a second, seconds of the server's processor time for each, and failures."""
            before = server.cpu_seconds()
            answered, failures, _ = server.wrk(script, "/", clients, clients, 2, **variables)
            return answered, (server.cpu_seconds() - before) / (count or 2 * answered), failures

        runs = {"refresh": [], "step": [], "passkey": [], "challenge": []}
        for _ in range(3):
            low = list(pool.map(lambda owner: call(*owner.sign_in(call, verified=False))["access_token"], people))
            asked = list(pool.map(lambda pair: pair[0].step_up(call, pair[1]), zip(people, low)))
            answers = list(pool.map(lambda owner: owner.sign_in(call), people))
            # A code is good once, and three of them at a time.
            while people[0].spent > time.time() // 30 - 1:
                time.sleep(0.1)
            runs["refresh"].append(rate("refresh.lua", BENCH_TOKENS=tokens))
            runs["step"].append(send([answer() for answer in asked]))
            runs["passkey"].append(send(answers))
            runs["challenge"].append(send([(f"/factors/{owner.factor}/challenge", {}, token) for owner, token in zip(people, low)]))
            with open(tokens, "w") as file:
                file.writelines(token + "\n" for token in pool.map(
                    lambda owner: call(*owner.sign_in(call))["refresh_token"], people[:clients]))

    def median(name):
        """Requests a second, microseconds of the server's processor time for each, and failures."""
        return (sorted(run[0] for run in runs[name])[1], sorted(run[1] for run in runs[name])[1] * 1e6,
                sum(run[2] for run in runs[name]))

    (refresh, refresh_cpu, failures), ok = median("refresh"), True
    for name, text, bound, usual in (("step", "step-up by an app's code", 1.2, 2.2), ("passkey", "sign-in by a passkey", 2, 2.6)):
        rate, cpu, refused = median(name)
        ok = line(text, f"{rate:.0f}/s at {cpu:.0f} us of CPU against {refresh:.0f} refreshes/s at {refresh_cpu:.0f} us, {clients} "
                  f"clients of each, {failures + refused} failures", f"{refresh / rate:.2f} times a refresh", f"<= {bound:.2f}",
                  refresh / rate <= bound and failures + refused == 0,
                  healthy=refresh / rate <= usual and failures + refused == 0) and ok
    # The step-up above is the request that shows the code. Clients of this protocol ask for a challenge before, by a request of its own.
    rate, cpu, refused = median("challenge")
    told("asking for its challenge", f"{rate:.0f}/s at {cpu:.0f} us of CPU, {refused} failures; with the step-up "
         f"{refresh / rate + refresh / median('step')[0]:.2f} times a refresh")
    return ok and refused == 0


def measure_lock(binaries, seconds, rounds=5):
    """A sign-in by password where wrong ones lock, and where nothing does, in turns: the lock is a look-up in an index, and no write.
    Beside them bare hashes: the system's libargon2, and the kernel that the server hashes with, which takes half as long and less, while
    all else that a sign-in does takes what it did."""
    def raw():
        rows = rates(binaries, CORES, seconds)
        return rows[0][1], rows[-1][1]

    body = json.dumps({"email": "bench0@example.com", "password": PASSWORD})
    with Server(binaries) as locking, Server(binaries, LATCHKEY_DIRECTORY_LOCKOUT_ATTEMPTS=0) as bare:
        for server in (locking, bare):
            sign_up(server, 0)
        bounds, runs = [raw()], []
        for turn in range(rounds):
            # Whichever is first has the cooler processor.
            order = (locking, bare) if turn % 2 == 0 else (bare, locking)
            run = {server: server.wrk("signin.lua", "/auth/v1/token?grant_type=password", 4 * CORES, 1, seconds, BENCH_BODY=body)
                   for server in order}
            runs.append([run[locking], run[bare]])
            bounds.append(raw())
    with_lock, without = (sorted(run[index][0] for run in runs)[rounds // 2] for index in (0, 1))
    failures = sum(result[1] for run in runs for result in run)
    library, kernel = (sorted(bound[index] for bound in bounds)[len(bounds) // 2] for index in (0, 1))
    ok = line("password sign-in with the lock", f"{with_lock:.1f}/s, {without:.1f}/s without it, {failures} failures; medians of {rounds} runs "
              f"of {seconds} s", f"ratio {with_lock / without:.3f}", ">= 0.95", with_lock / without >= 0.95 and failures == 0)
    ok = line("... against bare Argon2id", f"{library:.1f} hashes/s by libargon2 ({MEMORY} KiB, {ITERATIONS} passes, {CORES} threads)",
              f"ratio {with_lock / library:.2f}", ">= 0.95", with_lock / library >= 0.95) and ok
    told("... against the kernel that it uses", f"{kernel:.1f} hashes/s: ratio {with_lock / kernel:.3f}, {(1 / with_lock - 1 / kernel) * 1e3 * CORES:.2f} ms "
         f"of a processor for all else")
    return ok


def measure_deletion(binaries, seconds, activities=100_000, rounds=7):
    """What others notice while somebody with many activities is deleted: `/v1/me`, which reads, and refreshes, which write."""
    with Server(binaries) as server:
        other = sign_up(server, 0)["access_token"]
        tokens = os.path.join(server.directory, "tokens")
        path = os.path.join(server.directory, ".latchkey", "development.sqlite")
        count, lasted, times = 0, [], {name: {"alone": [], "beside": []} for name in ("me", "refresh")}

        def newcomer():
            nonlocal count
            count += 1
            return sign_up(server, count)

        def leaving():
            """The access token of somebody who has been there for long."""
            user = newcomer()
            with sqlite3.connect(path, timeout=30) as database:
                directory, = database.execute("SELECT directory_id FROM users WHERE id = ?", (user["user"]["id"],)).fetchone()
                now = time.time_ns() // 1000
                database.executemany("INSERT INTO activities (id, directory_id, user_id, type, description, duration_seconds, at) "
                "VALUES (?, ?, ?, 'yoga.session', 'Hatha', 1800, ?)", (
                    (str(uuid.uuid4()), directory, user["user"]["id"], now - number * 60_000_000) for number in range(activities)))
            return user["access_token"]

        def latency(name):
            if name == "me":
                return server.latency("/v1/me", 8, seconds, BENCH_TOKEN=other)[99]
            with open(tokens, "w") as file:
                file.writelines(newcomer()["refresh_token"] + "\n" for _ in range(8))
            return server.latency("/", 8, seconds, "refresh.lua", BENCH_TOKENS=tokens, threads=8)[99]

        def delete(people, is_over):
            for token in people:
                if is_over.is_set():
                    return
                began = time.monotonic()
                server.call("DELETE", "/v1/account", headers={"Authorization": "Bearer " + token})
                lasted.append(time.monotonic() - began)

        for _ in range(rounds):
            for name in times:
                times[name]["alone"].append(latency(name))
                people, is_over = [leaving() for _ in range(seconds)], threading.Event()
                deleting = threading.Thread(target=delete, args=(people, is_over))
                deleting.start()
                times[name]["beside"].append(latency(name))
                is_over.set()
                deleting.join()
    print(f"{'deletion of an account':<34} {len(lasted)} with {activities} activities each, {sorted(lasted)[len(lasted) // 2]:.2f} s "
          f"in the median, {max(lasted):.2f} at most, beside what follows", flush=True)
    ok = True
    for name, text in (("me", "GET /v1/me beside deletions"), ("refresh", "refreshes beside deletions")):
        alone, beside = (sorted(times[name][when])[rounds // 2] for when in ("alone", "beside"))
        # Of runs that follow each other: from minute to minute a machine changes by more than is asked for here.
        ratios = sorted(after / before for before, after in zip(times[name]["alone"], times[name]["beside"]))
        ratio = ratios[rounds // 2]
        ok = line(text, f"99th percentile {beside / 1e3:.2f} ms, {alone / 1e3:.2f} ms alone, 8 clients, {rounds} pairs of runs of {seconds} s, "
                  f"whose ratios are {ratios[0]:.2f} to {ratios[-1]:.2f}", f"ratio {ratio:.2f} in the median", "< 1.10", ratio < 1.1, healthy=ratio < 2) and ok
    return ok
