// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserImport {
    /// Octets of a line, without its break, that is read: more than any user has in an export.
    public static var longestLine: Int { TransferRecord.limits.bytes }

    /// One line of what is imported.
    public enum Line: Sendable {
        /// Without its break.
        case text(String)
        /// Longer than ``UserImport/longestLine``; nothing of it need be kept.
        case tooLong
        /// No UTF-8: whoever guessed what it says would change people's names.
        case notText

        var octets: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .tooLong, .notText: 0
            }
        }

        var isBlank: Bool {
            switch self {
            case .text(let text): !text.utf8.contains { $0 > 0x20 }
            case .tooLong, .notText: false
            }
        }

        /// - Throws: ``AuthErrorCode/invalidJSON`` for one that is no text.
        func read() throws(AuthError) -> String {
            switch self {
            case .text(let text): return text
            case .tooLong:
                throw AuthError(.invalidJSON, reason: "longer than \(UserImport.longestLine) octets")
            case .notText: throw AuthError(.invalidJSON, reason: "no UTF-8")
            }
        }
    }
}
