// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// A file with one secret, which nobody but its owner may read.
enum SecretFile {
    private static let longest = 4096

    /// The text of the file, as it is now.
    ///
    /// - Parameters:
    ///   - isChecked: Whether the file's mode is looked at: it is not where somebody else answers for it.
    ///   - longest: octets that are read at most.
    /// - Throws: ``AuthErrorCode/invalidRequest`` that says what is wrong with the file, never what is in it.
    static func contents(
        of path: String, isChecked: Bool = true, upTo longest: Int = Self.longest
    ) throws(AuthError) -> Secret<String> {
        // Containers mount secrets as links to what was mounted last.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
            throw AuthError(.invalidRequest, reason: "can't be read")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular, let mode = attributes[.posixPermissions] as? Int,
            let owner = attributes[.ownerAccountID] as? Int, let size = attributes[.size] as? Int, size <= longest
        else { throw AuthError(.invalidRequest, reason: "not a file of at most \(longest) octets") }
        // As ssh does with its keys; but what belongs to the administrator may be shared with the server's group, as
        // containers mount it.
        guard !isChecked || mode & (owner == 0 ? 0o037 : 0o077) == 0 else {
            throw AuthError(.invalidRequest, reason: "others may read it: chmod 600")
        }
        guard let data = FileManager.default.contents(atPath: file), let text = String(data: data, encoding: .utf8)
        else { throw AuthError(.invalidRequest, reason: "can't be read") }
        return Secret(text)
    }

    /// The secret that the file's one line is.
    ///
    /// - Throws: as ``contents(of:isChecked:)``, and for a file that is empty or has more lines.
    static func line(of path: String) throws(AuthError) -> Secret<String> {
        let text = try contents(of: path).reveal().trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, !text.contains(where: \.isNewline) else {
            throw AuthError(.invalidRequest, reason: "expected a file of one line")
        }
        return Secret(text)
    }
}
