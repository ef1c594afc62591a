// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What pages call a second factor: its kind, and which it is of several.
struct FactorLabel: Sendable {
    private let factor: Factor
    private let language: MessageLanguage

    init(_ factor: Factor, in language: MessageLanguage) {
        self.factor = factor
        self.language = language
    }

    /// For its owner, who is signed in.
    var full: String { [kind, factor.name ?? factor.recipient].compactMap(\.self).joined(separator: ": ") }

    /// For whoever has shown one factor alone: where codes go is told as far as its owner needs to know it.
    var masked: String {
        [kind, factor.recipient == nil ? factor.name : maskedRecipient].compactMap(\.self).joined(separator: ": ")
    }

    /// The end of a number, or the first letter of an address and what stands behind its `@`.
    var maskedRecipient: String? {
        switch factor.credential {
        case .phone(let number): "••• \(number.e164.suffix(2))"
        case .email(let address): Self.masked(address.rawValue)
        case .totp, .webAuthn, .newWebAuthn, .unreadable: nil
        }
    }

    private static func masked(_ address: String) -> String {
        let host = address.firstIndex(of: "@").map { address[$0...] } ?? ""
        return "\(address.prefix(1))•••\(host)"
    }

    private var kind: String {
        let text: PageText =
            switch factor.kind {
            case .totp: .factorApp
            case .phone: .factorText
            case .email: .factorMail
            case .webAuthn: .factorKey
            }
        return MessageCatalog.text(text, in: language)
    }
}
