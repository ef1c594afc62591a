// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Subprocess
import SystemPackage
import Testing

@testable import Factors

@Suite("QR codes")
struct QRCodeTests {
    private static let uri = TOTP().uri(
        secret: Secret(Array("12345678901234567890".utf8)), issuer: "Yoga Studio Zoë", account: "ann@example.com")

    /// What a reader that is not ours makes of an image.
    private func read(_ image: [UInt8], as suffix: String) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("code-\(UUID().uuidString).\(suffix)")
        try Data(image).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        // As it is written: what its link leads to knows nothing of the environment.
        let python = root.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(".build-clients/bin/python").path
        let script = root.appendingPathComponent("Support/read_code.py").path
        let result = try await Subprocess.run(
            .path(.init(python)), arguments: [script, file.path], output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput
    }

    @Test("G-9.2 a camera reads from the PNG what an app is to take over", arguments: [3, 6, 16])
    func png(_ scale: Int) async throws {
        let image = try QRCode(Self.uri).png(moduleSize: scale)
        #expect(try await read(image, as: "png") == Self.uri.reveal())
    }

    @Test("G-9.2 and from the SVG, which stands in a data URL as it is")
    func svg() async throws {
        let image = try QRCode(Self.uri).svg()
        #expect(try await read(Array(image.utf8), as: "svg") == Self.uri.reveal())
        #expect(!image.contains("#") && !image.contains("%") && !image.contains("\n"))
    }

    @Test("G-9.2 the longest URI that there can be fits, and what is no text for a code is refused")
    func bounds() throws {
        let long = TOTP().uri(
            secret: Secret(Array(repeating: 255, count: 64)), issuer: String(repeating: "ü", count: 999),
            account: String(repeating: "ü", count: 999))
        #expect(try QRCode(long).width <= 177)
        for text in ["", "a\u{0}b", String(repeating: "a", count: 2301)] {
            #expect(throws: AuthError(.invalidRequest)) { try QRCode(Secret(text)) }
        }
    }
}
