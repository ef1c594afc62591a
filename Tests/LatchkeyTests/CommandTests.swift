// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// The operator's commands, as an operator runs them.
@Suite struct CommandTests {
    private let directory: URL

    init() throws {
        directory = try Paths.temporaryDirectory()
    }

    private func run(
        _ arguments: [String], input: String = "", staysOpen: Bool = false
    ) async throws -> CommandResult {
        try await Command.run(
            Paths.latchkey, arguments, in: directory, environment: ["LATCHKEY_DATABASE": "sqlite:test.sqlite"],
            input: input, staysOpen: staysOpen)
    }

    private func json(_ arguments: [String], input: String = "") async throws -> JSONObject {
        let result = try await run(arguments + ["--json"], input: input)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return try #require(try JSONValue(parsing: result.output.utf8).objectValue)
    }

    @Test("C-5 C-6 users, groups and keys are made, listed and ended by the operator")
    func lifeOfAnAccount() async throws {
        let created = try await json(["directory", "create", "default"])
        #expect(created["anonKey"] != nil)
        let user = try await json(["user", "create", "ada@example.com"], input: "Correct-horse-7-battery\n")
        let id = try #require(user["id"]?.stringValue)
        #expect(user["hasPassword"] == true)
        _ = try await json(["group", "create", "admin", "--description", "Administrators"])
        #expect(try await json(["group", "add", "admin", "ada@example.com"])["added"] == true)
        #expect(try await json(["user", "show", id])["groups"] == ["admin"])
        #expect(try await json(["user", "ban", "ada@example.com", "--hours", "2"])["bannedUntil"] != .null)
        #expect(try await json(["user", "unban", "ada@example.com"])["bannedUntil"] == .null)
        let key = try await json(["api-key", "create", "backup job", "--scope", "admin:users"])
        let text = try #require(key["key"]?.stringValue)
        let listed = try await run(["api-key", "list", "--json"])
        #expect(!listed.output.contains(text))
        let keyID = try #require(key["id"]?.stringValue)
        #expect(try await json(["api-key", "revoke", keyID])["revoked"] != nil)
        #expect(try await run(["api-key", "revoke", keyID]).status == 0, "revoking twice changes nothing")
        #expect(try await run(["api-key", "revoke", "no-such-key"]).status == 66)
        #expect(try await json(["user", "delete", id])["deleted"] == .string(id))
        let gone = try await run(["user", "show", id])
        #expect(gone.status == 66)
        #expect(gone.errors == "latchkey: no such user\n")
    }

    @Test("G-10.4 an operator deletes at a user's wish: with a grace that is listed and undone, or at once")
    func deletions() async throws {
        _ = try await json(["directory", "create", "default"])
        let ada = "ada@example.com"
        let user = try await json(["user", "create", ada], input: "Correct-horse-7-battery\n")
        let id = try #require(user["id"])
        let graceless = try await run(["user", "deletion", "request", ada])
        #expect(graceless.status != 0 && graceless.errors.contains("--days"))
        #expect(try await run(["user", "deletion", "request", ada, "--days", "91"]).status != 0)
        let asked = try await json(["user", "deletion", "request", ada, "--days", "30"])
        let due = try #require(asked["deletionDueAt"]?.stringValue)
        #expect(try await json(["user", "show", ada])["deletionDueAt"] == .string(due))
        let listed = try await json(["user", "deletion", "list"])
        #expect(listed["users"]?.arrayValue?.compactMap(\.objectValue).map { $0["id"] } == [id])
        #expect(listed["more"] == false)
        #expect(try await json(["user", "deletion", "undo", ada]) == ["undone": true])
        #expect(try await json(["user", "deletion", "undo", ada]) == ["undone": false])
        #expect(try await json(["user", "deletion", "list"])["users"] == [])
        #expect(try await json(["user", "deletion", "now", ada])["deleted"] == id)
        #expect(try await run(["user", "deletion", "now", ada]).status == 66)
    }

    @Test(
        "R10.6 a command whose output nobody reads any more ends as quietly as any other",
        arguments: [
            ["check-config", "--keys"], ["check-config", "--keys", "--json"], ["check-config"], ["--help"],
            ["directory", "list"], ["token", "inspect", "x"],
        ])
    func brokenPipe(arguments: [String]) async throws {
        _ = try await json(["directory", "create", "default"])
        // A real pipe, whose reading end is closed before the command begins. Whoever starts it ignores the signal, as
        // many do, or does not.
        let script = """
            import os, signal, subprocess, sys
            for ignored in (True, False):
                reader, writer = os.pipe()
                os.close(reader)
                signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)
                done = subprocess.run(sys.argv[1:], stdout=writer, stderr=subprocess.PIPE, restore_signals=False)
                os.close(writer)
                signal.signal(signal.SIGPIPE, signal.SIG_IGN)
                print(done.returncode, done.stderr.decode())
            """
        let result = try await Command.run(
            Paths.python, ["-c", script, Paths.latchkey.path] + arguments, in: directory,
            environment: ["LATCHKEY_DATABASE": "sqlite:test.sqlite"])
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        switch arguments[0] {
        // The parser's own texts go where nobody reads them.
        case "--help": #expect(lines.count == 2 && lines.allSatisfy { ["0", "-13"].contains($0) }, "\(result.output)")
        // It has nothing to say there.
        case "token": #expect(!result.output.contains("-5") && !result.output.contains("Fatal"), "\(result.output)")
        default: #expect(lines == ["-13", "-13"], "\(result.output)")
        }
    }

    @Test("R11.3 C-5 clients are registered, shown without their secrets, changed and deleted by the operator")
    func lifeOfAClient() async throws {
        _ = try await json(["directory", "create", "default"])
        let made = try await json([
            "client", "create", "Shop", "--redirect-uri", "https://shop.example/back", "http://127.0.0.1/back",
            "--post-logout-uri", "https://shop.example/out", "--backchannel-logout-uri", "https://shop.example/told",
            "--home-uri", "https://shop.example/",
            "--grant", "authorization_code,refresh_token,client_credentials", "--scope", "openid email", "api/read",
        ])
        let id = try #require(made["clientId"]?.stringValue)
        let secret = try #require(made["clientSecret"]?.stringValue)
        #expect(made["redirectUris"] == ["https://shop.example/back", "http://127.0.0.1/back"])
        #expect(made["grants"] == ["authorization_code", "refresh_token", "client_credentials"])
        #expect(made["homeUri"] == "https://shop.example/")
        #expect(made["scopes"] == ["openid", "email", "api/read"] && made["consent"] == "remembered")
        for arguments in [["client", "show", id], ["client", "show", id, "--json"], ["client", "list", "--json"]] {
            let shown = try await run(arguments)
            #expect(shown.status == 0 && shown.output.contains(id) && !shown.output.contains(secret), "\(arguments)")
        }
        let changed = try await json([
            "client", "update", id, "--name", "Store", "--backchannel-logout-uri", "", "--first-party",
            "--require-pkce",
            "--id-token-algorithm", "ES256", "--redirect-uri", "https://store.example/back",
        ])
        #expect(changed["name"] == "Store" && changed["backchannelLogoutUri"] == .null)
        #expect(changed["redirectUris"] == ["https://store.example/back"] && changed["consent"] == "not_asked")
        #expect(changed["postLogoutUris"] == ["https://shop.example/out"] && changed["requiresPkce"] == true)
        let added = try await json(["client", "add-secret", id])
        let old = try #require(added["secrets"]?.arrayValue?.last?.objectValue?["id"]?.stringValue)
        #expect(try await json(["client", "remove-secret", id, old])["secrets"]?.arrayValue?.count == 1)
        let rotated = try await json(["client", "rotate-secret", id])
        #expect(rotated["clientSecret"] != nil && rotated["clientSecret"] != added["clientSecret"])
        #expect(rotated["secrets"]?.arrayValue?.count == 1)
        let open = try await json(["client", "create", "App", "--public", "--redirect-uri", "com.example.app:/back"])
        #expect(open["public"] == true && open["clientSecret"] == nil && open["requiresPkce"] == true)
        let written = try await run(["client", "create", "Plain", "--redirect-uri", "https://a.example"])
        #expect(written.output.contains("clientSecret: ") && written.errors.contains("not shown again"))
        #expect(try await json(["client", "delete", id])["deleted"] == .string(id))
        for command in ["show", "delete", "rotate-secret", "update"] {
            #expect(try await run(["client", command, id]).status == 66, "\(command)")
        }
    }

    @Test("R11.5 C-5 a client that can't be is refused in one line")
    func refusedClients() async throws {
        _ = try await json(["directory", "create", "default"])
        let back = ["--redirect-uri", "https://a.example"]
        for (arguments, status) in [
            (["x"], 65), (["x", "--redirect-uri", "http://a.example"], 65),
            (["x", "--redirect-uri", "javascript:alert(1)"], 65), (["x", "--grant", "password"] + back, 64),
            (["x", "--grant", "implicit"] + back, 65), (["x", "--consent", "maybe"] + back, 64),
            (["x", "--public", "--auth-method", "client_secret_basic"] + back, 64),
            (["x", "--public", "--grant", "client_credentials"], 65), (["x", "--auth-method", "tls"] + back, 64),
            (["x", "--auth-method", "private_key_jwt"] + back, 65), (["x", "--jwks", "none.json"] + back, 66),
            (["x", "--scope", "a\"b"] + back, 65), ([""] + back, 65),
            (["x", "--first-party", "--consent", "always"] + back, 64),
            (["x", "--access-token-lifetime", "-1"] + back, 64),
        ] {
            let result = try await run(["client", "create"] + arguments)
            #expect(result.status == status, "\(arguments) \(result.errors)")
        }
        #expect(try await run(["client", "list", "--json"]).output == "[]\n")
    }

    @Test("Users leave and arrive as JSON lines with their hashes, and sign in afterwards")
    func transfer() async throws {
        _ = try await json(["directory", "create", "default"])
        _ = try await json(["directory", "create", "second"])
        for name in ["ada", "bob", "eve"] {
            _ = try await json(["user", "create", "\(name)@example.com"], input: "Correct-horse-7-battery\n")
        }
        let lines = try await run(["user", "export"])
        #expect(lines.output.split(separator: "\n").count == 3)
        #expect(lines.output.contains("$argon2id$"))
        let summary = try await json(["user", "import", "--directory", "second"], input: lines.output)
        #expect(summary["imported"] == 3)
        let again = try await json(["user", "import", "--directory", "second"], input: lines.output)
        #expect(again["present"] == 3)
        let broken = try await run(["user", "import", "--directory", "second"], input: "{\"id\":\n" + lines.output)
        #expect(broken.status == 65)
        #expect(broken.errors.contains("line 1"))
        let endless = try await run(
            ["user", "import", "--directory", "second"],
            input: String(repeating: "x", count: 17 << 20) + "\n" + lines.output)
        #expect(endless.status == 65 && endless.errors.contains("line 1: longer than 16777216 octets"))
        #expect(endless.output.contains("3 there already, 1 refused"))
    }

    @Test("Signing keys rotate with overlap")
    func rotation() async throws {
        _ = try await json(["directory", "create", "default"])
        func active() async throws -> [String] {
            let result = try await run(["signing-key", "list", "--json"])
            let keys = try #require(try JSONValue(parsing: result.output.utf8).arrayValue)
            #expect(!result.output.contains("\"d\""))
            return keys.compactMap(\.objectValue).filter { $0["state"] == "active" && $0["purpose"] == "tokens" }
                .compactMap { $0["kid"]?.stringValue }
        }
        let before = try await active()
        let rotated = try await run(["signing-key", "rotate", "--now"])
        #expect(rotated.status == 0)
        let after = try await active()
        #expect(before.count == 1 && after.count == 1 && before != after)
        let (new, old) = (after.first ?? "", before.first ?? "")
        #expect(
            rotated.errors.contains("\(new) signs from now on; \(old) stays published until 20"), "\(rotated.errors)")
        // The one that stands by was made a moment ago, and no server may sign with it before all have read it.
        let again = try await run(["signing-key", "rotate", "--now"])
        let newest = try await active().first ?? ""
        #expect(newest != new && !again.errors.contains("from now on"), "\(again.errors)")
        #expect(
            again.errors.contains("\(newest) signs from 20")
                && again.errors.contains("Z on, the former one until then; \(new) stays published"), "\(again.errors)")
    }

    @Test("R8.20 keys of every purpose rotate, and a service key that leaked is refused once its key is removed")
    func everyPurpose() async throws {
        let created = try await json(["directory", "create", "default"])
        func keys() async throws -> [JSONObject] {
            let result = try await run(["signing-key", "list", "--json"])
            return try #require(try JSONValue(parsing: result.output.utf8).arrayValue).compactMap(\.objectValue)
        }
        func kids(_ purpose: String, _ state: String) async throws -> [String] {
            try await keys().filter { $0["purpose"] == .string(purpose) && $0["state"] == .string(state) }
                .compactMap { $0["kid"]?.stringValue }
        }
        let leaked = try #require(try await kids("api_keys", "active").first)
        #expect(try await run(["signing-key", "rotate", "--purpose", "api_keys", "--now"]).status == 0)
        #expect(try await kids("api_keys", "active") != [leaked])
        #expect(try await json(["directory", "show"])["serviceRoleKey"] != created["serviceRoleKey"])
        #expect(try await run(["signing-key", "remove", leaked]).status == 0)
        #expect(try await !keys().contains { $0["kid"] == .string(leaked) })
        let signing = try #require(try await kids("api_keys", "active").first)
        #expect(try await run(["signing-key", "remove", signing]).status != 0)

        #expect(try await run(["signing-key", "rotate", "--purpose", "compatibility", "--now"]).status == 0)
        let first = try await kids("compatibility", "active")
        #expect(try await run(["signing-key", "rotate", "--purpose", "compatibility", "--now"]).status == 0)
        #expect(try await kids("compatibility", "active") != first)
        #expect(try await kids("compatibility", "retiring").contains(first.first ?? ""))
        #expect(try await run(["signing-key", "rotate", "--purpose", "tea"]).status == 64)
    }

    @Test("A failure is one line and a code of its own; nothing is made on the way")
    func failures() async throws {
        let missing = try await run(["user", "list"])
        #expect(missing.status == 66)
        #expect(missing.errors.split(separator: "\n").count == 1)
        #expect(!FileManager.default.fileExists(atPath: directory.appendingPathComponent("test.sqlite").path))
        _ = try await json(["directory", "create", "default"])
        #expect(try await run(["directory", "create", "default"]).status == 73)
        #expect(try await run(["directory", "delete", "default"]).status == 64)
        #expect(try await run(["user", "create", "not an address@"], input: "x\n").status == 65)
        let weak = try await run(["user", "create", "a@example.com"], input: "abc\n")
        #expect(weak.status == 65)
        #expect(weak.errors.contains("auth.error_password_min_length"))
        let endless = try await run(["user", "create", "a@example.com"], input: String(repeating: "x", count: 1 << 20))
        #expect(endless.status == 65 && endless.errors.contains("too long"))
        #expect(try await run(["no-such-command"]).status == 64)
    }

    @Test(
        "A password is taken with the end of its line, as at a terminal, whose input has no end",
        .timeLimit(.minutes(2)))
    func typedPassword() async throws {
        _ = try await json(["directory", "create", "default"])
        let created = try await run(
            ["user", "create", "ada@example.com"], input: "Correct-horse-7-battery\n", staysOpen: true)
        #expect(created.status == 0, "\(created.errors)")
    }

    @Test("Y-US4 the demo has 250 activities, once")
    func demo() async throws {
        let first = try await json(["demo"])
        #expect(first["activitiesAdded"] == 250)
        #expect(try await json(["demo"])["activitiesAdded"] == 0)
    }
}
