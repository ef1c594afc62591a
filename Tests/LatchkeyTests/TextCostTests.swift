// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a text costs, in instructions of the processor: the same on every machine, however busy.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind"), "valgrind is not installed"),
    .timeLimit(.minutes(45)))
struct TextCostTests {
    private func count(_ arguments: [String] = []) async throws -> CommandResult {
        let program = Paths.latchkey.deletingLastPathComponent().appendingPathComponent("latchkey-text-cost")
        return try await Command.run(
            Paths.package.appendingPathComponent("scripts/text-cost"), [program.path] + arguments, in: Paths.package)
    }

    @Test("R8.1 no reader of texts from outside takes work that grows faster than the text")
    func growth() async throws {
        let result = try await count()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.split(separator: "\n").count >= 40, "\(result.output)")
    }

    @Test("R8.1 a reader whose work grows with the square of the text is found")
    func judge() async throws {
        let result = try await count(["check"])
        #expect(result.status == 1)
        for name in ["takes blanks off the front: 'blanks'", "puts marks in order: 'marks'", "looks for each"] {
            #expect(result.errors.contains(name), "\(result.errors)")
        }
    }
}
