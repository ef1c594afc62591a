// SPDX-License-Identifier: Apache-2.0

import Foundation
import Subprocess
import SystemPackage
import Testing

/// A finished run of a program.
struct CommandResult: Sendable {
    /// The exit status; a signal's number, negated, where one ended it.
    var status: Int32
    var output: String
    var errors: String

    /// All that it said, first how it ended: of a long report of many tests no more than a line may be read.
    var told: String {
        let end = errors.split(whereSeparator: \.isNewline).last.map(String.init) ?? "exit \(status)"
        return "\(end)\n\(output)\n\(errors)"
    }
}

/// Runs a program to its end.
enum Command {
    private static let outputLimit = 16 << 20

    /// - Parameter staysOpen: whether the input has no end, as a terminal has none after a line. At most 64 KiB then.
    static func run(
        _ executable: URL, _ arguments: [String], in directory: URL, environment: [String: String] = [:],
        input: String = "", staysOpen: Bool = false
    ) async throws -> CommandResult {
        // From a file: a program that ends without reading its input would leave a pipe behind that nobody closes, and
        // the library stops the tests for it.
        let file = try Paths.temporaryDirectory().appendingPathComponent("input")
        if staysOpen { try #require(mkfifo(file.path, 0o600) == 0) } else { try Data(input.utf8).write(to: file) }
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        // Who reads a pipe by a descriptor that writes too keeps it open for themselves.
        let descriptor = try FileDescriptor.open(FilePath(file.path), staysOpen ? .readWrite : .readOnly)
        if staysOpen { try descriptor.writeAll(input.utf8) }
        let result = try await Subprocess.run(
            .path(FilePath(executable.path)), arguments: Arguments(arguments), environment: variables(environment),
            workingDirectory: FilePath(directory.path),
            input: .fileDescriptor(descriptor, closeAfterSpawningProcess: true),
            output: .string(limit: outputLimit), error: .string(limit: outputLimit))
        return CommandResult(
            status: status(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }

    /// The environment of the tests without settings of the server, and `additions`.
    static func variables(_ additions: [String: String]) -> Environment {
        var variables: [Environment.Key: String] = [:]
        for (name, value) in ProcessInfo.processInfo.environment where !name.hasPrefix("LATCHKEY_") {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        for (name, value) in additions {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        return .custom(variables)
    }

    static func status(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): -number
        }
    }
}
