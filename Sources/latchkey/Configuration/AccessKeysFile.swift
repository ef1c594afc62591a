// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// The file of access keys whose signatures administer user pools: an identifier and a secret a line, with blanks
/// between them. Blank lines, and those that begin with `#`, are left out. Several keys let one be replaced by another
/// without a moment in which neither is good.
enum AccessKeysFile {
    /// Secrets shorter than this could be guessed from one signature.
    private static let shortestSecret = 32

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the line, never what stands in it.
    static func read(_ path: String) throws(AuthError) -> [String: Secret<String>] {
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8)
        else {
            throw AuthError(.invalidRequest, reason: "can't be read")
        }
        var keys: [String: Secret<String>] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let identifier = words.first, !identifier.hasPrefix("#") else { continue }
            guard words.count == 2, words[1].utf8.count >= shortestSecret else {
                throw AuthError(
                    .invalidRequest,
                    reason: "line \(number + 1): expected an identifier and a secret of \(shortestSecret) characters")
            }
            guard keys.updateValue(Secret(String(words[1])), forKey: String(identifier)) == nil else {
                throw AuthError(.invalidRequest, reason: "line \(number + 1): an identifier for the second time")
            }
        }
        return keys
    }
}
