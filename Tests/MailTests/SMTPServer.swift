// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Mail
import Subprocess
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

    private let python: Python
    let port: Int

    /// Starts a server, and stops it when `body` is done.
    static func run<Result: Sendable>(
        _ arguments: [String] = [], _ body: @Sendable (SMTPServer) async throws -> Result
    ) async throws -> Result {
        try await Python.run("smtp_server.py", arguments) { python in
            let line = try #require(await python.line())
            return try await body(SMTPServer(python: python, port: try #require(Int(line))))
        }
    }

    /// What came over the next connection that ends.
    func session() async throws -> Session {
        let object = try JSONObject(parsing: Array(try #require(await python.line()).utf8))
        return Session(
            commands: (object["commands"]?.arrayValue ?? []).compactMap(\.stringValue),
            username: object["username"]?.stringValue, password: object["password"]?.stringValue,
            wire: object["wire"]?.stringValue.flatMap(Base64.decode), isEncrypted: object["tls"]?.boolValue == true)
    }

    func transport(
        security: SMTPSettings.Security = .none, password: String? = nil, authorityFile: String? = nil,
        senderName: String? = nil, timeoutSeconds: Int = 20
    ) throws -> SMTPTransport {
        try SMTPTransport(
            SMTPSettings(
                host: "127.0.0.1", port: port, username: password.map { _ in "mailer" },
                password: password.map { Secret($0) },
                security: security, senderName: senderName, senderAddress: "auth@example.com",
                timeoutSeconds: timeoutSeconds, authorityFile: authorityFile))
    }
}

/// A certificate for the loopback address that signs itself, with its key, in a file that `body` may use.
func withCertificate<Result: Sendable>(_ body: @Sendable (String) async throws -> Result) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "mail-tests-\(UUID().uuidString).pem").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let made = try await Subprocess.run(
        .name("openssl"),
        arguments: [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", file + ".certificate",
        ],
        output: .discarded)
    try #require(made.terminationStatus.isSuccess, "openssl made no certificate")
    let certificate = try Data(contentsOf: URL(filePath: file + ".certificate"))
    try FileManager.default.removeItem(atPath: file + ".certificate")
    try (Data(contentsOf: URL(filePath: file)) + certificate).write(to: URL(filePath: file))
    return try await body(file)
}
