// SPDX-License-Identifier: Apache-2.0

import Testing

/// Gives a suite a server of its own: ``RunningServer/current`` in all of its tests, ended after the last.
public struct RunningServerTrait: SuiteTrait, TestScoping {
    var environment: [String: String]
    var isBehindProxy = false

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard isBehindProxy else {
            return try await RunningServer.run(environment: environment) { server in
                try await RunningServer.$current.withValue(server) { try await function() }
            }
        }
        let proxy = try FaultProxy()
        // What the server says of itself leads to the proxy.
        let environment = environment.merging(["LATCHKEY_HTTP_EXTERNAL_URL": proxy.url]) { $1 }
        try await RunningServer.run(["--port", "\(proxy.serverPort)"], environment: environment) { server in
            try await RunningServer.$current.withValue(server) {
                try await FaultProxy.$current.withValue(proxy) { try await function() }
            }
        }
    }
}

extension Trait where Self == RunningServerTrait {
    /// `@Suite(.runningServer)`: one server for all tests of the suite and those within it.
    public static var runningServer: Self { Self(environment: [:]) }

    /// The same with settings of the server, by their variables.
    public static func runningServer(_ environment: [String: String]) -> Self { Self(environment: environment) }

    /// The same behind a network that can be made bad: ``FaultProxy/current``.
    public static func serverBehindProxy(_ environment: [String: String]) -> Self {
        Self(environment: environment, isBehindProxy: true)
    }
}
