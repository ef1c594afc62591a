// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Subprocess
import SystemPackage
import TestSupport

/// `latchkey serve` on a free loopback port, in a directory of its own.
struct RunningServer: Sendable {
    let url: String
    let directory: URL
    let processID: Int32
    private let transcript: ServerTranscript

    /// What the server has written so far.
    var log: String { transcript.text }

    /// How a server ended, and all that it wrote.
    struct End: Sendable {
        var status: Int32
        var log: String
        var directory: URL
    }

    struct StartFailure: Error, CustomStringConvertible {
        var log: String
        var description: String { "the server did not start:\n\(log)" }
    }

    /// Starts a server, hands it to `body` once it is ready, and ends it by SIGTERM to its own process.
    ///
    /// - Parameter limits: of the process, as `ulimit` takes them.
    @discardableResult
    static func run(
        _ arguments: [String] = ["--dev"], in given: URL? = nil, environment: [String: String] = [:],
        limits: String? = nil, _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws -> End {
        let directory = try given ?? Paths.temporaryDirectory()
        let transcript = ServerTranscript()
        let serve = ["serve", "--port", "0"] + arguments
        let program = limits == nil ? Paths.latchkey.path : "/bin/sh"
        let shell = limits.map { ["-c", "ulimit \($0) && exec \"$0\" \"$@\"", Paths.latchkey.path] } ?? []
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(shell + serve),
            environment: Command.variables(["LATCHKEY_HTTP_SHUTDOWN_DELAY": "0"].merging(environment) { $1 }),
            workingDirectory: FilePath(directory.path), input: .none,
            output: .discarded, error: .sequence
        ) { execution in
            async let reading: Void = transcript.follow(execution.standardError)
            do {
                guard let url = await transcript.readyURL() else { throw StartFailure(log: transcript.text) }
                try await body(
                    RunningServer(
                        url: url, directory: directory, processID: execution.processIdentifier.value,
                        transcript: transcript))
                // One that the body has stopped is gone.
                try? execution.send(signal: .terminate)
            } catch {
                try? execution.send(signal: .kill)
                try? await reading
                throw error
            }
            try await reading
        }
        return End(status: Command.status(result.terminationStatus), log: transcript.text, directory: directory)
    }
}
