// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Mail
import TestSupport
import Testing

/// A mail server of `Support/smtp_server.py` on a free port of the loopback interface.
struct SMTPServer {
    /// What came over one connection.
    struct Session {
        var commands: [String]
        var username: String?
        var password: String?
        /// The message with its dots as they were sent.
        var wire: [UInt8]?
        var isEncrypted: Bool
    }

    private let process: ScriptProcess
    let port: Int

    /// Starts a server, and stops it when `body` is done.
    static func run<Result: Sendable>(
        _ arguments: [String] = [], _ body: @Sendable (SMTPServer) async throws -> Result
    ) async throws -> Result {
        try await ScriptProcess.run("Support/smtp_server.py", arguments) { process in
            let line = try await process.line()
            return try await body(SMTPServer(process: process, port: try #require(Int(line))))
        }
    }

    /// What came over the next connection that ends.
    func session() async throws -> Session {
        let object = try JSONObject(parsing: Array(try await process.line().utf8))
        return Session(
            commands: (object["commands"]?.arrayValue ?? []).compactMap(\.stringValue),
            username: object["username"]?.stringValue, password: object["password"]?.stringValue,
            wire: object["wire"]?.stringValue.flatMap(Base64.decode), isEncrypted: object["tls"]?.boolValue == true)
    }

    func transport(
        security: SMTPSettings.Security = .none, password: String? = nil, authorityFile: String? = nil,
        senderName: String? = nil, timeoutSeconds: Int = 300
    ) throws -> SMTPTransport {
        try SMTPTransport(
            SMTPSettings(
                host: "127.0.0.1", port: port, username: password.map { _ in "mailer" },
                password: password.map { Secret($0) },
                security: security, senderName: senderName, senderAddress: "auth@example.com",
                timeoutSeconds: timeoutSeconds, authorityFile: authorityFile))
    }
}
