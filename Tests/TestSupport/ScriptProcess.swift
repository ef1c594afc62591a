// SPDX-License-Identifier: Apache-2.0

import Foundation
import Subprocess

/// A Python script as a process of its own: what other servers and programs do is asked of code that shares nothing
/// with the code under test. Needs `python3`, with nothing but its standard library. What it says of its failures is on
/// the test run's own standard error.
public struct ScriptProcess: Sendable {
    private let lines: AsyncStream<String>

    /// Runs a script beside `body`, then closes the script's input, on which it ends.
    ///
    /// - Parameters:
    ///   - script: where it is, as seen from the folder of `file`.
    ///   - file: the caller's.
    public static func run<Result: Sendable>(
        _ script: String, _ arguments: [String], file: String = #filePath,
        _ body: @Sendable (ScriptProcess) async throws -> Result
    ) async throws -> Result {
        let path = URL(filePath: file).deletingLastPathComponent().appending(path: script).standardized.path
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let ended = try await Subprocess.run(
            .name("python3"), arguments: Arguments([path] + arguments), input: .inputWriter, output: .sequence,
            error: .currentStandardError
        ) { execution in
            async let reading: Void = {
                defer { continuation.finish() }
                for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
                    continuation.yield(line.hasSuffix("\n") ? String(line.dropLast()) : line)
                }
            }()
            let outcome: Swift.Result<Result, any Error>
            do {
                outcome = .success(try await body(ScriptProcess(lines: stream)))
            } catch {
                outcome = .failure(error)
            }
            try await execution.standardInputWriter.finish()
            try await reading
            return try outcome.get()
        }
        return ended.closureResult
    }

    /// The next line that the script prints.
    ///
    /// - Throws: ``Ended`` once there is none.
    public func line() async throws -> String {
        guard let line = await lines.first(where: { _ in true }) else { throw Ended() }
        return line
    }

    /// The script has printed its last line.
    public struct Ended: Error {}
}
