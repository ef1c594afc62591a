// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// The settings as the program itself describes them.
@Suite(.timeLimit(.minutes(2))) struct ConfigurationDocumentTests {
    @Test("R9.11 docs/configuration.md is this table. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func document() async throws {
        let file = Paths.package.appendingPathComponent("docs/configuration.md")
        let text = Self.page(of: try await Self.keys())
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("R9.11 every number and flag is taken by its variable, and refused by it where it is none")
    func variables() async throws {
        let directory = try Paths.temporaryDirectory()
        let keys = try await Self.keys().filter {
            $0["type"]?.stringValue == "true or false" || $0["type"]?.stringValue?.hasPrefix("a whole number") == true
        }
        #expect(keys.count > 60)
        var environment: [String: String] = [:]
        for key in keys {
            let name = try #require(key["variable"]?.stringValue)
            let value = try #require(key["default"]?.stringValue)
            environment[name] = value.contains(" ") ? "5" : value
        }
        let good = try await Command.run(Paths.latchkey, ["check-config"], in: directory, environment: environment)
        #expect(good.status == 0, "\(good.errors)")
        for name in [
            "LATCHKEY_DIRECTORY_CODE_LENGTH", "LATCHKEY_DIRECTORY_LIMITS_SIGN_IN_SECONDS", "LATCHKEY_HTTP_PORT",
        ] {
            let bad = try await Command.run(
                Paths.latchkey, ["check-config"], in: directory, environment: [name: "99999999999"])
            #expect(bad.status == 78 && bad.errors.contains("expected a whole number from"), "\(bad.errors)")
        }
    }

    @Test("A schema's name that no schema of PostgreSQL's can have is told before anything is started")
    func schemaName() async throws {
        let directory = try Paths.temporaryDirectory()
        func check(_ name: String) async throws -> CommandResult {
            try await Command.run(
                Paths.latchkey, ["check-config"], in: directory, environment: ["LATCHKEY_POSTGRES_SCHEMA": name])
        }
        for name in ["Accounts", "pg_accounts", "a-b", String(repeating: "a", count: 64)] {
            let bad = try await check(name)
            #expect(bad.status == 78 && bad.errors.contains("postgres.schema"), "\(name): \(bad.errors)")
        }
        let good = try await check(String(repeating: "a", count: 63))
        #expect(good.status == 0, "\(good.errors)")
    }

    @Test("R9.11 R45 a list of private hosts takes hosts alone: an origin or a port in it would never be met")
    func privateHosts() async throws {
        let directory = try Paths.temporaryDirectory()
        for name in ["LATCHKEY_CLIENTS_PRIVATE_HOSTS", "LATCHKEY_IDENTITY_PROVIDERS_PRIVATE_HOSTS"] {
            let good = try await Command.run(
                Paths.latchkey, ["check-config"], in: directory,
                environment: [name: "app.corp.example, 10.0.0.1,localhost,::1"])
            #expect(good.status == 0, "\(good.errors)")
            for value in ["https://app.corp.example", "app.corp.example:8443", "[::1]", "app_1", "app/told", "a b"] {
                let bad = try await Command.run(
                    Paths.latchkey, ["check-config"], in: directory, environment: [name: value])
                #expect(bad.status == 78 && bad.errors.contains("privateHosts"), "\(value): \(bad.errors)")
            }
        }
    }

    @Test("R9.11 an operator sets a Directory's settings by the same names, in the same ranges, and sees what they are")
    func commandLine() async throws {
        let directory = try Paths.temporaryDirectory()
        func latchkey(_ arguments: String...) async throws -> CommandResult {
            try await Command.run(Paths.latchkey, arguments + ["--database", "sqlite:a.sqlite"], in: directory)
        }
        #expect(try await latchkey("directory", "create", "shop").status == 0)
        let set = try await latchkey(
            "directory", "set", "shop", "directory.signUp=false", "directory.limits.signInSeconds=60",
            "sessions.timebox=0", "title=The shop",
            "directory.redirectAllowList=https://a.example, https://b.example/*",
            "--json")
        #expect(set.status == 0, "\(set.errors)")
        let settings = try #require(try JSONObject(parsing: set.output.utf8)["settings"]?.objectValue)
        #expect(settings["signUp"]?.objectValue?["enabled"] == false)
        #expect(settings["limits"]?.objectValue?["signIn"] == ["count": 60, "seconds": 60])
        #expect(settings["sessions"]?.objectValue?["timebox"] == 0)
        #expect(settings["title"] == "The shop")
        #expect(settings["redirectAllowList"] == ["https://a.example", "https://b.example/*"])

        for (bad, words) in [
            ("directory.codeLength=99", "directory.codeLength: expected a whole number from 6 to 10"),
            ("directory.fax=true", "directory.fax: no such setting"), ("directory.signUp=maybe", "true or false"),
            ("directory.signUp", "expected SETTING=VALUE"),
        ] {
            let result = try await latchkey("directory", "set", "shop", bad)
            #expect(result.status != 0 && result.errors.contains(words), "\(result.errors)")
        }
        let file = directory.appendingPathComponent("settings.json")
        try #"{"password":{"minimumLength":3}}"#.write(to: file, atomically: true, encoding: .utf8)
        let refused = try await latchkey("directory", "update", "shop", "--settings", file.path)
        #expect(
            refused.status == 65 && refused.errors.contains("directory.password.minimumLength"), "\(refused.errors)")
        let cleared = try await latchkey("directory", "set", "shop", "title=", "--json")
        #expect(try JSONObject(parsing: cleared.output.utf8)["settings"]?.objectValue?["title"] == nil)
    }

    // MARK: Parts

    private static func keys() async throws -> [JSONObject] {
        let result = try await Command.run(
            Paths.latchkey, ["check-config", "--keys", "--json"], in: try Paths.temporaryDirectory())
        #expect(result.status == 0, "\(result.errors)")
        return try #require(try JSONValue(parsing: Array(result.output.utf8)).arrayValue).compactMap(\.objectValue)
    }

    private static func page(of keys: [JSONObject]) -> String {
        let server = keys.filter { $0["stored"]?.stringValue == nil }
        let directory = keys.filter { $0["stored"]?.stringValue != nil && $0["variable"]?.stringValue != nil }
        let outside = keys.filter { $0["variable"]?.stringValue == nil }
        return """
            # Configuration

            Every setting, as `latchkey check-config --keys` prints it. This page is written by
            `LATCHKEY_WRITE_DOCS=1 swift test --filter ConfigurationDocumentTests`; the same test compares it with the program.

            A setting is given by a flag where there is one, else by its variable, else in `latchkey.yaml`, where the dots are
            levels. A variable is the name in capitals: `http.externalUrl` is `LATCHKEY_HTTP_EXTERNAL_URL`. What is no setting, or
            out of its range, is refused by its name.

            ## The server

            | setting | what it may be | default | what it is | risk |
            | --- | --- | --- | --- | --- |
            \(server.map { row($0, []) }.joined(separator: "\n"))

            ## A Directory

            In `latchkey.yaml` they are those of the default Directory. Any Directory's are set by
            `latchkey directory set NAME SETTING=VALUE…`. The second column is where `directory show --json` has them and
            `directory update --settings` takes them; the third has the variables that `serve --gotrue-env` takes over.

            | setting | stored as | taken over from | what it may be | default | what it is | risk |
            | --- | --- | --- | --- | --- | --- | --- |
            \(directory.map { row($0, [code($0["stored"]), variables($0)]) }.joined(separator: "\n"))

            By `latchkey directory` alone:

            | setting | taken over from | what it may be | default | what it is | risk |
            | --- | --- | --- | --- | --- | --- |
            \(outside.map { row($0, [variables($0)]) }.joined(separator: "\n"))

            """
    }

    private static func row(_ key: JSONObject, _ further: [String]) -> String {
        let words = ["type", "default", "summary", "risk"].map {
            (key[$0]?.stringValue ?? "").replacing("|", with: "\\|")
        }
        return "| " + ([code(key["name"])] + further + words).joined(separator: " | ") + " |"
    }

    private static func code(_ value: JSONValue?) -> String { "`\(value?.stringValue ?? "")`" }

    /// Those of mails come once a kind; the first tells enough.
    private static func variables(_ key: JSONObject) -> String {
        let names = (key["selfHosted"]?.arrayValue ?? []).compactMap(\.stringValue)
        return names.isEmpty ? "" : "`\(names[0])`" + (names.count > 1 ? " …" : "")
    }
}
