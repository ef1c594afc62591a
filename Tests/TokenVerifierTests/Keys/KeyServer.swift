// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import Subprocess

@testable import TokenVerifier

/// A key server in a process of its own, on a socket of this machine. Needs `python3`, with nothing but its standard
/// library.
struct KeyServer: Sendable {
    let base: String
    private let lines: AsyncStream<String>

    /// Runs the server beside `body`, then closes its input, on which it ends.
    @discardableResult
    static func run<Result: Sendable>(_ body: @Sendable (KeyServer) async throws -> Result) async throws -> Result {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Support/key_server.py").path
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let ended = try await Subprocess.run(
            .name("python3"), arguments: [script, SampleKeys.first, SampleKeys.second],
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
                guard let port = await stream.first(where: { _ in true }) else { throw Unavailable() }
                outcome = .success(try await body(KeyServer(base: "http://127.0.0.1:\(port)", lines: stream)))
            } catch {
                outcome = .failure(error)
            }
            try await execution.standardInputWriter.finish()
            try await reading
            return try outcome.get()
        }
        return ended.closureResult
    }

    /// The paths of the requests that the server saw, up to that of `last`.
    func requests(through last: String) async throws -> [String] {
        var paths: [String] = []
        for await path in lines {
            paths.append(path)
            if path == last { return paths }
        }
        throw Unavailable()
    }

    private struct Unavailable: Error {}
}
