// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// `latchkey terms`, as an operator runs it, and what clients of a running server are then told.
@Suite("G-11 An operator's terms") struct TermsCommandTests {
    private static let file = """
        [{"name": "terms", "version": "1", "demanded": true,
          "texts": {"en": {"title": "Terms", "url": "https://app.example/terms"}}},
         {"name": "news", "version": "1", "kind": "purpose", "texts": {"en": {"title": "News"}}}]
        """

    @Test("G-11 a file is published once, shown, released and refused in one line")
    func commands() async throws {
        let directory = try Paths.temporaryDirectory()
        func run(_ arguments: [String]) async throws -> CommandResult {
            try await Command.run(
                Paths.latchkey, arguments, in: directory, environment: ["LATCHKEY_DATABASE": "sqlite:test.sqlite"],
                input: "Correct-horse-7-battery\n")
        }
        func versions(_ arguments: [String]) async throws -> [String?] {
            let result = try await run(arguments + ["--json"])
            try #require(result.status == 0, "\(arguments): \(result.errors)")
            let list = try JSONValue(parsing: result.output.utf8).arrayValue ?? []
            return list.map { $0.objectValue?["name"]?.stringValue }
        }
        #expect(try await run(["directory", "create", "default"]).status == 0)
        try Data(Self.file.utf8).write(to: directory.appendingPathComponent("terms.json"))
        try Data("{".utf8).write(to: directory.appendingPathComponent("bad.json"))
        #expect(try await versions(["terms", "publish", "terms.json"]) == ["terms", "news"])
        #expect(try await versions(["terms", "publish", "terms.json"]) == [])
        #expect(try await versions(["terms", "list"]) == ["news", "terms"])
        let table = try await run(["terms", "demand", "terms", "1", "--off"])
        #expect(table.status == 0 && table.output.contains("document") && table.output.contains("no"))
        for (arguments, status) in [
            (["publish", "bad.json"], 65), (["publish", "none.json"], 65), (["withdraw", "terms", "1"], 73),
            (["withdraw", "terms", "9"], 66), (["demand", "t e", "1"], 66),
            (["said", "--user", "nobody@example.com"], 66),
        ] as [([String], Int32)] {
            let result = try await run(["terms"] + arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        #expect(try await run(["user", "create", "ada@example.com"]).status == 0)
        #expect(try await versions(["terms", "said", "--user", "ada@example.com"]) == [])
    }

    @Test("G-11 every vendor's client is told where to agree, and signs in once its user has")
    func walk() async throws {
        try await RunningServer.run { server in
            let database = "sqlite:" + server.directory.appendingPathComponent(".latchkey/development.sqlite").path
            let result = try await Command.run(
                Paths.python, ["terms_walk.py", server.url, Paths.latchkey.path, database], in: Paths.clients)
            #expect(result.status == 0, "\(result.told)")
            #expect(!server.log.contains("unexpected error"), "\(server.log)")
        }
    }
}
