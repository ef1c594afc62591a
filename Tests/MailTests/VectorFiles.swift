// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import Mail

/// The files under `Vectors/`, found from where this source lies.
enum VectorFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

    static func naughtyStrings() throws -> [String] {
        let contents = try Data(contentsOf: root.appending(path: "blns.json"))
        let strings = try #require(try JSONValue(parsing: Array(contents)).arrayValue).compactMap(\.stringValue)
        try #require(strings.count > 500)
        return strings
    }
}

extension MailContext {
    /// Every value is there, and each can be told from the others.
    static let full = bare.about("Google")

    private static let bare = MailContext(
        siteName: "Beispiel", siteURL: "https://example.com", email: "ada@example.org", newEmail: "ada@example.net",
        link: "https://auth.example.com/verify?token=t0ken&type=x", code: "482913", tokenHash: "ha5h",
        redirectTo: "https://example.com/welcome", expiresInMinutes: 120, codeExpiresInMinutes: 15,
        data: ["full_name": "Ada"])

    private func about(_ provider: String) -> MailContext {
        var context = self
        context.provider = provider
        return context
    }
}

extension String {
    /// How often a code point is in it: markup is read by code point, not by grapheme.
    func count(of scalar: Unicode.Scalar) -> Int { unicodeScalars.count { $0 == scalar } }
}
