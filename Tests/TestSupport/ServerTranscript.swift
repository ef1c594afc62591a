// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Subprocess

/// The lines that a server writes, and the one among them that says where it can be reached.
public final class ServerTranscript: Sendable {
    private let lines = Mutex<[String]>([])
    private let ready = AsyncStream<String>.makeStream()

    public init() {}

    public var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Notes what is written until the server ends.
    public func follow(_ output: SubprocessOutputSequence) async throws {
        defer { ready.continuation.finish() }
        for try await line in output.strings() {
            lines.withLock { $0.append(line) }
            if line.contains("ready"), let start = line.range(of: "http://") {
                ready.continuation.yield(String(line[start.lowerBound...].prefix { !" \"".contains($0) }))
            }
        }
    }

    /// `nil` when the server ended without it.
    public func readyURL() async -> String? { await ready.stream.first { _ in true } }
}
