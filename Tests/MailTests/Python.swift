// SPDX-License-Identifier: Apache-2.0

import Foundation
import Subprocess

/// A Python script of `Support/`, as a process of its own: what mail servers and mail readers do is asked of code that
/// shares nothing with the code under test. Needs `python3`, with nothing but its standard library.
struct Python: Sendable {
    private let lines: AsyncStream<String>

    /// Runs a script beside `body`, then closes the script's input, on which it ends.
    static func run<Result: Sendable>(
        _ script: String, _ arguments: [String], _ body: @Sendable (Python) async throws -> Result
    ) async throws -> Result {
        let support = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support")
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let ended = try await Subprocess.run(
            .name("python3"), arguments: Arguments([support.appending(path: script).path] + arguments),
            input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            async let reading: Void = {
                defer { continuation.finish() }
                for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
                    continuation.yield(line.hasSuffix("\n") ? String(line.dropLast()) : line)
                }
            }()
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(try await body(Python(lines: stream)))
            } catch {
                outcome = .failure(error)
            }
            try await execution.standardInputWriter.finish()
            try await reading
            return try outcome.get()
        }
        return ended.closureResult
    }

    /// The next line that the script prints; `nil` once it has ended.
    func line() async -> String? { await lines.first { _ in true } }
}
