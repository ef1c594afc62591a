// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import TestSupport
import Testing

/// Starting, stopping and configuring the real executable.
@Suite(.timeLimit(.minutes(10))) struct LifecycleTests {
    @Test("Y-FR8 the OpenAPI document is valid and the server does what it says")
    func openAPI() async throws {
        try await RunningServer.run { server in
            let result = try await Command.run(Paths.python, ["openapi_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
    }

    @Test("F26 SIGTERM ends the server with status 0, and says so")
    func stops() async throws {
        let end = try await RunningServer.run { _ in }
        #expect(end.status == 0)
        #expect(end.log.contains("finishing requests under way"))
    }

    @Test("R10.6 a server lives on though nobody reads what it prints, and its clients go away in the midst of answers")
    func brokenPipes() async throws {
        let directory = try Paths.temporaryDirectory()
        let script = """
            import atexit, os, re, signal, socket, struct, subprocess, sys, urllib.request
            reader, writer = os.pipe()
            os.close(reader)
            server = subprocess.Popen([sys.argv[1], "serve", "--dev", "--port", "0"], stdout=writer,
                                      stderr=subprocess.PIPE, text=True)
            atexit.register(server.kill)
            port = None
            for line in server.stderr:
                found = re.search(r"ready .*http://[^:]+:([0-9]+)", line)
                if found:
                    port = int(found.group(1))
                    break
            assert port, server.wait()
            for _ in range(5):
                client = socket.create_connection(("127.0.0.1", port))
                client.sendall(b"GET /dev HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n" * 10)
                # A reset, so that writing to it fails.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
            page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30).read().decode()
            assert "identity server" in page and server.poll() is None
            server.send_signal(signal.SIGTERM)
            server.stderr.read()
            print(server.wait())
            """
        let result = try await Command.run(Paths.python, ["-c", script, Paths.latchkey.path], in: directory)
        #expect(result.status == 0 && result.output == "0\n", "\(result.told)")
    }

    @Test(
        "R8.16 on SIGTERM readiness goes first, then, after the delay, the listener, and requests under way are finished"
    )
    func leaves() async throws {
        let delay = ["LATCHKEY_HTTP_SHUTDOWN_DELAY": "5"]
        let end = try await RunningServer.run([], environment: delay) { server in
            let result = try await Command.run(
                Paths.python, ["shutdown_walk.py", server.url, "\(server.processID)"], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
        #expect(end.status == 0)
        let words = ["no longer ready", "finishing requests under way"].map { end.log.range(of: $0)?.lowerBound }
        #expect(words.allSatisfy { $0 != nil })
    }

    @Test("R8.16 a store that can't be written to is not ready, though it can be read, and is once it can")
    func unwritable() async throws {
        let directory = try Paths.temporaryDirectory()
        try await RunningServer.run([], in: directory) { server in
            let database = directory.appendingPathComponent("latchkey.sqlite").path
            let result = try await Command.run(
                Paths.python, ["readiness_walk.py", server.url, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
    }

    @Test("R41 what was issued before a restart is good after it, and the demo user is the same")
    func restarts() async throws {
        let before = Mutex<JSONObject?>(nil)
        let first = try await RunningServer.run { server in
            let settings = try await settings(server)
            before.withLock { $0 = settings }
        }
        try await RunningServer.run(in: first.directory) { server in
            let after = try await settings(server)
            let before = try #require(before.withLock { $0 })
            #expect(before["demo"] == after["demo"])
            #expect(before["supabase"]?.objectValue?["anonKey"] == after["supabase"]?.objectValue?["anonKey"])
        }
    }

    @Test("A second server on the same database is refused with one clear line")
    func secondInstance() async throws {
        try await RunningServer.run { server in
            let second = try await Command.run(
                Paths.latchkey, ["serve", "--dev", "--port", "0"], in: server.directory)
            #expect(second.status == 73)
            #expect(
                second.errors.hasSuffix("latchkey: .latchkey/development.sqlite is in use by another latchkey server\n")
            )
        }
    }

    @Test("Development mode refuses production, and any address but loopback")
    func developmentMode() async throws {
        let directory = try Paths.temporaryDirectory()
        let production = try await Command.run(
            Paths.latchkey, ["serve", "--dev"], in: directory, environment: ["LATCHKEY_ENVIRONMENT": "production"])
        #expect(production.status == 78)
        #expect(production.errors.contains("refuses to run"))
        let files = try Paths.temporaryDirectory()
        for name in ["latchkey.yaml", "other.yaml"] {
            try "environment: production\n".write(
                to: files.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        for arguments in [[], ["--config", "other.yaml"]] {
            let file = try await Command.run(Paths.latchkey, ["serve", "--dev"] + arguments, in: files)
            #expect(file.status == 78, "\(file.errors)")
            #expect(file.errors.contains("refuses to run: environment is production"))
        }
        let open = try await Command.run(Paths.latchkey, ["serve", "--dev", "--host", "0.0.0.0"], in: directory)
        #expect(open.status == 78)
        #expect(open.errors.contains("loopback only"))
    }

    @Test("R8.14 a database that has served production once is never opened in development mode")
    func productionDatabase() async throws {
        let database = ["LATCHKEY_DATABASE": "sqlite:shared.sqlite"]
        let directory = try Paths.temporaryDirectory()
        // A rehearsal that says so, and development itself, leave no mark.
        let rehearsal = database.merging(["LATCHKEY_ENVIRONMENT": "development"]) { $1 }
        try await RunningServer.run([], in: directory, environment: rehearsal) { _ in }
        try await RunningServer.run(in: directory, environment: database) { _ in }
        try await RunningServer.run([], in: directory, environment: database) { _ in }
        let refused = try await Command.run(
            Paths.latchkey, ["serve", "--dev", "--port", "0"], in: directory, environment: database)
        #expect(refused.status == 78, "\(refused.errors)")
        #expect(refused.errors.contains("refuses to run: the database has been used in production since 2"))
        // The refusal changed nothing, and neither does production itself.
        try await RunningServer.run([], in: directory, environment: database) { _ in }
    }

    @Test("R8.14 in development mode pages of other sites reach nothing, and those of this machine everything")
    func foreignPages() async throws {
        try await RunningServer.run(environment: ["LATCHKEY_DEVELOPMENT_HOSTS": "phone.test"]) { server in
            let result = try await Command.run(Paths.python, ["development_walk.py", server.url], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(server.log.contains("only this machine may call"))
        }
    }

    @Test("F32 an unknown setting, a bad value and an unreadable file each get a line that names it")
    func configuration() async throws {
        let directory = try Paths.temporaryDirectory()
        func check(_ yaml: String, _ environment: [String: String] = [:]) async throws -> CommandResult {
            try yaml.write(to: directory.appendingPathComponent("latchkey.yaml"), atomically: true, encoding: .utf8)
            return try await Command.run(Paths.latchkey, ["check-config"], in: directory, environment: environment)
        }
        let good = try await check(
            "http:\n  port: 9000\ndirectory:\n  anonymous: true\n  password:\n    minimumLength: 12\n")
        #expect(good.status == 0, "\(good.errors)")
        #expect(good.output.contains("127.0.0.1:9000"))
        let overridden = try await check("http:\n  port: 9000\n", ["LATCHKEY_HTTP_PORT": "9001"])
        #expect(overridden.output.contains(":9001"))
        for (yaml, name) in [
            ("http:\n  prot: 9000\n", "http.prot"), ("http:\n  port: x\n", "http.port"),
            ("http:\n  port: 70000\n", "http.port"),
            ("passwords:\n  memoryKib: 262144\n  iterations: 5\n", "passwords.memoryKib"),
            ("environment: staging\n", "environment"),
            ("http:\n  externalUrl: ftp://x\n", "http.externalUrl"), ("- a\n", "latchkey.yaml"),
            ("mail:\n  smtp:\n    host: mail.example\n", "mail.senderAddress"),
        ] {
            let bad = try await check(yaml)
            #expect(bad.status == 78, "\(yaml)")
            #expect(bad.errors.contains(name), "\(yaml): \(bad.errors)")
            #expect(bad.errors.split(separator: "\n").count == 1, "\(bad.errors)")
        }
        let variable = try await check("", ["LATCHKEY_HTTP_PROT": "1"])
        #expect(variable.status == 78)
        #expect(variable.errors.contains("LATCHKEY_HTTP_PROT"))
    }

    @Test("R10.3 what a container can't start with is refused by serve and by check-config, in the same words")
    func selfHosted() async throws {
        let directory = try Paths.temporaryDirectory()
        let demo = "super-secret-jwt-token-with-at-least-32-characters-long"
        func run(_ arguments: [String], _ variables: [String: String]) async throws -> CommandResult {
            try await Command.run(
                Paths.latchkey, arguments + ["--gotrue-env"], in: directory,
                environment: variables.merging(["GOTRUE_API_HOST": "127.0.0.1"]) { $1 })
        }
        for (name, value) in [
            // RFC 7518, section 3.2: short, and public knowledge.
            ("GOTRUE_JWT_SECRET", "too-short"), ("GOTRUE_JWT_SECRET", demo), ("GOTRUE_JWT_KEYS", "[{]"),
            ("GOTRUE_SECURITY_CAPTCHA_ENABLED", "true"), ("API_EXTERNAL_URL", "ftp://x"), ("GOTRUE_JWT_EXP", "soon"),
        ] {
            let checked = try await run(["check-config"], [name: value])
            #expect(checked.status == 78 && checked.errors.contains(name), "\(checked.errors)")
            #expect(!checked.errors.contains(value))
            let served = try await run(["serve", "--port", "0"], [name: value])
            #expect(served.status == 78 && served.errors == checked.errors, "\(served.errors)")
        }
        let development = try await run(["check-config", "--dev"], ["GOTRUE_JWT_SECRET": demo])
        #expect(development.status == 0, "\(development.errors)")
        #expect(development.output.contains("GOTRUE_JWT_SECRET: insecure: "), "\(development.output)")
    }

    @Test("R10.3 a proxy that nobody announced is counted as no client, and the log says so once")
    func privateProxy() async throws {
        let limits = ["LATCHKEY_DIRECTORY_LIMITS_ONE_TIME_TOKEN": "2"]
        try await RunningServer.run(environment: limits) { server in
            let url = server.url + "/auth/v1/recover"
            let key = try #require(try await settings(server)["supabase"]?.objectValue?["anonKey"]?.stringValue)
            func statuses(_ headers: [String]) async throws -> [String] {
                let arguments = (["apikey: \(key)", "content-type: application/json"] + headers).flatMap { ["-H", $0] }
                var statuses: [String] = []
                for _ in 1...3 {
                    let result = try await Command.run(
                        URL(fileURLWithPath: "/usr/bin/env"),
                        [
                            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", #"{"email":"a@example.com"}"#,
                            url,
                        ]
                            + arguments, in: FileManager.default.temporaryDirectory)
                    statuses.append(result.output)
                }
                return statuses
            }
            #expect(try await statuses(["X-Forwarded-For: 203.0.113.1"]) == ["200", "200", "200"])
            #expect(try await statuses([]) == ["200", "200", "429"])
            let warnings = server.log.components(separatedBy: "http.trustedProxies does not know of").count - 1
            #expect(warnings == 1, "\(server.log)")
        }
    }

    @Test("V13.4.5 metrics are on a port of their own, and not on the server's")
    func metrics() async throws {
        let port = try Paths.freePort()
        try await RunningServer.run(environment: ["LATCHKEY_METRICS_PORT": "\(port)"]) { server in
            let (status, _) = try await get(server.url + "/metrics")
            #expect(status == 404)
            // This listener may begin a moment after the other one.
            var (found, body) = (0, [UInt8]())
            try await eventually("the listener of the metrics answers") {
                (found, body) = try await get("http://127.0.0.1:\(port)/metrics")
                return found != 0
            }
            let text = String(decoding: body, as: UTF8.self)
            #expect(found == 200)
            #expect(text.contains("latchkey_http_request_duration_seconds_count{"), "\(text)")
            #expect(text.contains("# TYPE latchkey_http_request_duration_seconds histogram"), "\(text)")
        }
    }

    private func settings(_ server: RunningServer) async throws -> JSONObject {
        let (_, body) = try await get(server.url + "/dev/settings.json")
        return try JSONObject(parsing: body)
    }

    private func get(_ url: String) async throws -> (Int, [UInt8]) {
        let result = try await Command.run(
            URL(fileURLWithPath: "/usr/bin/env"), ["curl", "-s", "-w", "\n%{http_code}", url],
            in: FileManager.default.temporaryDirectory)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, Array(lines.dropLast().joined(separator: "\n").utf8))
    }
}
