// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Subprocess
import SystemPackage
import TestSupport

/// `latchkey serve --dev` on a free loopback port, in a directory of its own. Suites get one by the trait
/// ``Testing/Trait/runningServer``.
public struct RunningServer: Sendable {
    /// `http://127.0.0.1:…`, without a slash at the end.
    public let url: String
    public let processID: Int32
    /// What `/dev/settings.json` says: how each kind of app is set up.
    public let settings: JSONObject
    /// Where its files are.
    let directory: String
    private let transcript: ServerTranscript

    /// The server of the suite that a test is in.
    @TaskLocal public static var current: RunningServer?

    /// What the server has written so far.
    public var log: String { transcript.text }

    /// A setting of `/dev/settings.json` by its place, such as `["supabase", "anonKey"]`.
    public func setting(_ place: String...) throws -> String {
        var value = JSONValue.object(settings)
        for name in place {
            guard let member = value.objectValue?[name] else { throw Failure("no setting \(place)") }
            value = member
        }
        guard let text = value.stringValue else { throw Failure("no text at \(place)") }
        return text
    }

    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Starts a server, hands it to `body` once it says that it is ready, and ends it by a signal to its own process.
    ///
    /// - Parameters:
    ///   - arguments: beyond `serve --dev`. A free port is taken where they name none.
    ///   - environment: settings of the server, by their variables.
    public static func run(
        _ arguments: [String] = [], environment: [String: String] = [:],
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transcript = ServerTranscript()
        _ = try await Subprocess.run(
            .path(FilePath(executable)),
            arguments: Arguments(
                ["serve", "--dev"] + (arguments.contains("--port") ? [] : ["--port", "0"]) + arguments),
            environment: variables(["LATCHKEY_HTTP_SHUTDOWN_DELAY": "0"].merging(environment) { $1 }),
            workingDirectory: FilePath(directory.path), input: .none, output: .discarded, error: .sequence
        ) { execution in
            async let reading: Void = transcript.follow(execution.standardError)
            do {
                guard let url = await transcript.readyURL() else { throw Failure("not started:\n\(transcript.text)") }
                let settings = try await settings(at: url)
                let server = RunningServer(
                    url: url, processID: execution.processIdentifier.value, settings: settings,
                    directory: directory.path, transcript: transcript)
                try await body(server)
                // One that the body has stopped is gone.
                try? execution.send(signal: .terminate)
            } catch {
                try? execution.send(signal: .kill)
                try? await reading
                throw error
            }
            try await reading
        }
    }

    /// A server that another process has started.
    public static func running(at url: String) async throws -> RunningServer {
        RunningServer(
            url: url, processID: 0, settings: try await settings(at: url), directory: "", transcript: ServerTranscript()
        )
    }

    private static func settings(at url: String) async throws -> JSONObject {
        let answer = try await SystemTransport().send(.init("GET", url + "/dev/settings.json"))
        return try JSONObject(parsing: answer.body)
    }

    /// Beside the tests' bundle, where the package builds both, unless a variable names another.
    static var executable: String {
        if let named = ProcessInfo.processInfo.environment["LATCHKEY_EXECUTABLE"] { return named }
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("latchkey").path
    }

    /// The environment of the tests without settings of the server, and `additions`.
    static func variables(_ additions: [String: String] = [:]) -> Environment {
        let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LATCHKEY_") }
        var variables: [Environment.Key: String] = [:]
        for (name, value) in own.merging(additions, uniquingKeysWith: { $1 }) {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        return .custom(variables)
    }
}
