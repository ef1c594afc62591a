// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension SignInIdentifier {
    /// What a person types who says who they are: an address, a number with its country, or a user name.
    ///
    /// - Throws: ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/invalidPhone``, ``AuthErrorCode/invalidCredentials``
    ///   for what is none of them.
    init(typed text: String?, _ settings: DirectorySettings) throws(AuthError) {
        let text = (text ?? "").trimmed
        guard !text.isEmpty else { throw AuthError(.invalidEmail, reason: "empty") }
        if text.utf8.contains(UInt8(ascii: "@")) {
            self = .email(try EmailAddress(text))
        } else if let number = Self.number(text) {
            self = .phone(try PhoneNumber(number))
        } else {
            do throws(AuthError) {
                self = .username(try Username(text, isCaseSensitive: settings.signUp.caseSensitiveNames))
            } catch {
                throw AuthError(.invalidCredentials, reason: "no name")
            }
        }
    }

    /// As the user is shown it again.
    var typed: String {
        switch self {
        case .email(let address): address.rawValue
        case .phone(let number): number.e164
        case .username(let name): name.rawValue
        case .user(let id): id.rawValue
        }
    }

    /// Without what people put between digits; `nil` for what does not begin as a number with its country does.
    private static func number(_ text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "+") else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !" -()/.".unicodeScalars.contains($0) }))
    }
}

extension String {
    /// Without the space around it.
    var trimmed: String {
        guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}
