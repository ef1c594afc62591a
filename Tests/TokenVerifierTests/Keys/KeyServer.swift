// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import TestSupport

@testable import TokenVerifier

/// A key server in a process of its own, on a socket of this machine.
struct KeyServer: Sendable {
    let base: String
    private let process: ScriptProcess

    /// Runs the server beside `body`, then closes its input, on which it ends.
    ///
    /// - Parameter certificate: a PEM file with a certificate and its key, to speak TLS with.
    @discardableResult
    static func run<Result: Sendable>(
        certificate: String? = nil, _ body: @Sendable (KeyServer) async throws -> Result
    ) async throws -> Result {
        let arguments = [SampleKeys.first, SampleKeys.second] + (certificate.map { [$0] } ?? [])
        return try await ScriptProcess.run("../Support/key_server.py", arguments) { process in
            let scheme = certificate == nil ? "http" : "https"
            return try await body(KeyServer(base: "\(scheme)://127.0.0.1:\(process.line())", process: process))
        }
    }

    /// The paths of the requests that the server saw, up to that of `last`.
    func requests(through last: String) async throws -> [String] {
        var paths: [String] = []
        while paths.last != last { paths.append(try await process.line()) }
        return paths
    }
}
