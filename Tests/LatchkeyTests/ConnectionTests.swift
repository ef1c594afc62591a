// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a client can hold of the server by merely being connected, over real sockets.
@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private func walk(_ script: String, _ server: RunningServer, _ arguments: [String]) async throws {
        let result = try await Command.run(
            Paths.python, [script, server.url] + arguments, in: Paths.clients)
        #expect(result.status == 0, "\(result.told)\n\(server.log)")
    }

    @Test("R8.4 hundreds of idle sockets of one client leave room for everyone else")
    func idleSockets() async throws {
        let limits = ["LATCHKEY_HTTP_CONNECTIONS": "400", "LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT": "100"]
        try await RunningServer.run(environment: limits) { server in
            try await walk("idle_walk.py", server, ["100", "400"])
            #expect(server.log.split(separator: "\n").count { $0.contains("client_connections") } >= 1)
        }
    }

    @Test("R8.4 a client may have half of all connections at most, whatever is configured for it")
    func half() async throws {
        let limits = ["LATCHKEY_HTTP_CONNECTIONS": "200", "LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT": "1000"]
        try await RunningServer.run(environment: limits) { server in
            try await walk("idle_walk.py", server, ["100", "200"])
        }
    }

    @Test("R8.4 behind a proxy, which makes all connections, none is refused for its address")
    func proxy() async throws {
        let limits = [
            "LATCHKEY_HTTP_CONNECTIONS": "400", "LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT": "10",
            "LATCHKEY_HTTP_TRUSTED_PROXIES": "1",
        ]
        try await RunningServer.run(environment: limits) { server in
            try await walk("idle_walk.py", server, ["none"])
        }
    }

    @Test("R8.4 R10.1 nor behind a self-hosted platform's gateway, which says nothing of proxies")
    func gateway() async throws {
        let variables = [
            "LATCHKEY_HTTP_CONNECTIONS": "400", "LATCHKEY_HTTP_CONNECTIONS_PER_CLIENT": "10",
            "GOTRUE_JWT_SECRET": "a-shared-secret-of-more-than-32-bytes-for-tests", "GOTRUE_API_HOST": "127.0.0.1",
            "API_EXTERNAL_URL": "http://gateway.example:8000", "GOTRUE_SITE_URL": "http://app.example",
        ]
        try await RunningServer.run(["--gotrue-env"], environment: variables) { server in
            let port = try #require(server.listeningPort)
            let result = try await Command.run(
                Paths.python, ["idle_walk.py", "http://127.0.0.1:\(port)", "none"], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)\n\(server.log)")
        }
    }

    @Test("R8.4 a process without descriptors sleeps instead of spinning, serves who is connected, and recovers")
    func descriptors() async throws {
        let port = try Paths.freePort()
        try await RunningServer.run(environment: ["LATCHKEY_METRICS_PORT": "\(port)"]) { server in
            try await walk("descriptor_walk.py", server, ["\(port)", "\(server.processID)"])
            #expect(server.log.contains("can't accept connections"))
        }
    }

    @Test("R8.4 the limit of open files is raised to what the connections need, and what is not possible is said")
    func openFiles() async throws {
        try await RunningServer.run(limits: "-Sn 256") { server in
            let text = try String(contentsOfFile: "/proc/\(server.processID)/limits", encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 2)
            #expect(numbers[0] == min(numbers[1], max(numbers[0], 10_000)), "\(line)")
            #expect(numbers[0] > 256)
        }
        try await RunningServer.run(limits: "-n 256") { server in
            #expect(server.log.contains("http.connections is more than this process may have files open"))
        }
    }

    @Test("R8.18 whom a limit refuses is in the log and the metrics, by limit and dialect, and never by name")
    func refusals() async throws {
        let port = try Paths.freePort()
        let variables = [
            "LATCHKEY_METRICS_PORT": "\(port)", "LATCHKEY_DIRECTORY_LIMITS_SIGN_IN": "3",
            "LATCHKEY_DIRECTORY_LIMITS_SIGN_UP": "3",
        ]
        try await RunningServer.run(environment: variables) { server in
            try await walk("refusal_walk.py", server, ["\(port)"])
            let lines = server.log.split(separator: "\n").filter { $0.contains("refusal=rate_limit") }
            for dialect in ["supabase", "cognito", "firebase"] {
                #expect(lines.contains { $0.contains("dialect=\(dialect)") }, "\(dialect): \(server.log)")
            }
            #expect(lines.allSatisfy { $0.contains("client=127.0.0.0") })
            #expect(!server.log.contains("victim"))
        }
    }

    @Test("R9.16 sign-ins for which there is no place are refused in each dialect's words, and slow nothing else")
    func crowded() async throws {
        var variables = [
            "LATCHKEY_PASSWORDS_THREADS": "1", "LATCHKEY_PASSWORDS_QUEUE_LENGTH": "0",
            "LATCHKEY_PASSWORDS_MEMORY_KIB": "65536", "LATCHKEY_PASSWORDS_ITERATIONS": "3",
            "LATCHKEY_DIRECTORY_EMAIL_AUTO_CONFIRM": "true", "LATCHKEY_DIRECTORY_LOCKOUT_ATTEMPTS": "0",
        ]
        // Nothing counts, and no wrong password locks, here: refused is who finds no place.
        for limit in ["SIGN_IN", "SIGN_IN_PER_IDENTIFIER", "TOKEN_REFRESH"] {
            variables["LATCHKEY_DIRECTORY_LIMITS_" + limit] = "1000000"
        }
        try await RunningServer.run(environment: variables) { server in
            try await walk("crowded_walk.py", server, [])
            let lines = server.log.split(separator: "\n").filter { $0.contains("refusal=passwords") }
            #expect((1...60).contains(lines.count), "\(server.log)")
        }
    }

    @Test("R9.4 who guesses wrongly in one dialect is out of attempts in all, however the account is spelled")
    func guesses() async throws {
        let variables = ["LATCHKEY_DIRECTORY_LIMITS_SIGN_IN_PER_IDENTIFIER": "3"]
        try await RunningServer.run(environment: variables) { try await walk("guess_walk.py", $0, []) }
    }
}
