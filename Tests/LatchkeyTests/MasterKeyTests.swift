// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// Secrets at rest, as an operator sees to them.
@Suite(.timeLimit(.minutes(10))) struct MasterKeyTests {
    private let directory: URL

    init() throws {
        directory = try Paths.temporaryDirectory()
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> CommandResult {
        try await Command.run(
            Paths.latchkey, arguments, in: directory,
            environment: environment.merging(["LATCHKEY_DATABASE": "sqlite:test.sqlite"]) { $1 })
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private func keyID(_ environment: [String: String]) async throws -> String? {
        let result = try await run(["check-config", "--json"], environment)
        try #require(result.status == 0, "\(result.errors)")
        return try JSONObject(parsing: result.output.utf8)["masterKey"]?.stringValue
    }

    @Test("R8.19 a key is made for its owner alone, takes no file's place, and is not repeated in what is said")
    func generate() async throws {
        let made = try await run(["master-key", "generate", "key"])
        #expect(made.status == 0)
        let text = try String(contentsOfFile: path("key"), encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(!(made.output + made.errors).contains(text))
        let mode = try FileManager.default.attributesOfItem(atPath: path("key"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await run(["master-key", "generate", "key"]).status == 73)
        #expect(try String(contentsOfFile: path("key"), encoding: .utf8) == text + "\n")
        let first = try await keyID(["LATCHKEY_MASTER_KEY_FILE": "key"])
        // By a name that leads to it, and readable for whom it was.
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("key"))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("key"))
        #expect(try await run(["master-key", "generate", "--add-to", "link"]).status == 0)
        let after = try FileManager.default.attributesOfItem(atPath: path("key"))[.posixPermissions] as? Int
        #expect(after == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == path("key"))
        let lines = try String(contentsOfFile: path("key"), encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == text)
        #expect(try await keyID(["LATCHKEY_MASTER_KEY_FILE": "key"]) != first)
    }

    @Test("R8.19 the key comes from a setting, a file, a credential of the service manager, or beside the database")
    func sources() async throws {
        #expect(try await keyID([:]) == nil)
        #expect(try await run(["check-config"]).output.contains("in the clear"))
        let text = try await run(["master-key", "generate"]).output.trimmingCharacters(in: .newlines)
        let id = try #require(try await keyID(["LATCHKEY_MASTER_KEY": text]))
        #expect(try await run(["master-key", "generate", "credentials"]).status == 0)
        try FileManager.default.createDirectory(atPath: path("run"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path("credentials"), toPath: path("run/latchkey-master-key"))
        // The service manager's files may be of another mode: who reads them is its affair.
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: path("run/latchkey-master-key"))
        let credential = try await keyID(["CREDENTIALS_DIRECTORY": path("run")])
        #expect(credential != nil && credential != id)
        #expect(try await run(["master-key", "generate", "test.sqlite.master-key"]).status == 0)
        let beside = try await keyID([:])
        #expect(beside != nil && beside != credential)
        // What the operator says wins.
        #expect(try await keyID(["CREDENTIALS_DIRECTORY": path("run"), "LATCHKEY_MASTER_KEY": text]) == id)
        let both = try await run(["check-config"], ["LATCHKEY_MASTER_KEY": text, "LATCHKEY_MASTER_KEY_FILE": "key"])
        #expect(both.status == 78)
    }

    @Test("R8.19 a key file that others may read, that is missing, or that holds no key is refused in one line")
    func badFiles() async throws {
        #expect(try await run(["master-key", "generate", "open"]).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path("open"))
        try Data("secret-but-no-key\n".utf8).write(to: URL(fileURLWithPath: path("short")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("short"))
        for (name, reason) in [("open", "chmod"), ("none", "can't be read"), ("short", "line 1"), (".", "not a file")] {
            for command in [["check-config"], ["directory", "create", "default"], ["serve", "--port", "0"]] {
                let result = try await run(command, ["LATCHKEY_MASTER_KEY_FILE": name])
                #expect(result.status == 78, "\(name): \(result.errors)")
                #expect(result.errors.contains(reason), "\(name): \(result.errors)")
                #expect(!result.errors.contains("secret-but-no-key"))
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path("test.sqlite")))
    }

    @Test(
        "R8.19 a server without a key says what it keeps in the clear; with one it seals that, and is never without again"
    )
    func production() async throws {
        let open = try await RunningServer.run([], in: directory) { server in
            #expect(server.log.contains("no master key"))
            for name in ["signing_keys.private_jwk", "directories.token_key"] { #expect(server.log.contains(name)) }
        }
        #expect(open.status == 0)
        #expect(try await run(["master-key", "generate", "key"]).status == 0)
        let variables = ["LATCHKEY_MASTER_KEY_FILE": "key"]
        let database = ["LATCHKEY_DATABASE": "sqlite:latchkey.sqlite"]
        func status() async throws -> JSONObject {
            let result = try await Command.run(
                Paths.latchkey, ["master-key", "status", "--json"], in: directory,
                environment: variables.merging(database) { $1 })
            try #require(result.status == 0, "\(result.errors)")
            return try JSONObject(parsing: result.output.utf8)
        }
        #expect(try await status()["dataKeys"] == [])
        let sealed = try await RunningServer.run([], in: directory, environment: variables) { server in
            #expect(server.log.contains("sealed") && !server.log.contains("no master key"))
        }
        #expect(sealed.status == 0)
        let values = try await status()["values"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(values.count >= 2 && values.allSatisfy { $0["dataKey"] == 1 })
        let id = try #require(try await status()["given"]?.arrayValue?.first?.stringValue)
        for command in [["serve", "--port", "0"], ["user", "list"], ["master-key", "status"]] {
            let result = try await Command.run(Paths.latchkey, command, in: directory, environment: database)
            #expect(result.status == 69, "\(result.errors)")
            #expect(result.errors.contains(id), "\(result.errors)")
        }
    }

    @Test("R8.19 after every dialect's walk no known secret is in the database's files")
    func walks() async throws {
        try await RunningServer.run(environment: ["LATCHKEY_DIRECTORY_SITE_URL": "http://localhost:3000"]) { server in
            let database = server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            for walk in ["supabase_walk.py", "cognito_walk.py", "firebase_walk.py"] {
                let result = try await Command.run(Paths.python, [walk, server.url], in: Paths.clients)
                #expect(result.status == 0, "\(walk): \(result.output)\n\(result.errors)")
            }
            let result = try await Command.run(
                Paths.python, ["secrets_walk.py", server.url, database, database + ".master-key"], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
        }
    }

    @Test("R8.19 a reseal beside a running server, killed again and again, comes to its end and nobody notices")
    func reseal() async throws {
        let result = try await Command.run(
            Paths.python, ["reseal_walk.py", Paths.latchkey.path, directory.path], in: Paths.clients)
        #expect(result.status == 0, "\(result.told)")
    }
}
