// SPDX-License-Identifier: Apache-2.0

import Foundation
import Subprocess

/// A certificate for the loopback address that signs itself, with its key, in a file that `body` may use. Made by the
/// `openssl` command.
public func withCertificate<Result: Sendable>(_ body: @Sendable (String) async throws -> Result) async throws -> Result
{
    let file = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString).pem").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let made = try await Subprocess.run(
        .name("openssl"),
        arguments: [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", file + ".certificate",
        ],
        output: .discarded)
    guard made.terminationStatus.isSuccess else { throw NoCertificate() }
    let certificate = try Data(contentsOf: URL(filePath: file + ".certificate"))
    try FileManager.default.removeItem(atPath: file + ".certificate")
    try (Data(contentsOf: URL(filePath: file)) + certificate).write(to: URL(filePath: file))
    return try await body(file)
}

/// The `openssl` command made none.
public struct NoCertificate: Error {}
