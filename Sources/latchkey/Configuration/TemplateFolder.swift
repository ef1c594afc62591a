// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation

/// A folder with an operator's own words for messages: `recovery.html`, `recovery.de.html`, `recovery.subject.txt`,
/// `sms.txt`. It is the whole of what the default Directory has: what is not in it is in the built-in words.
enum TemplateFolder {
    private static let longest = 256 << 10
    private static let mostFiles = 500

    /// What the folder says, as settings of a Directory.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the file.
    static func read(_ path: String) throws(AuthError) -> [DirectoryChange] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path), names.count <= mostFiles else {
            throw AuthError(.invalidRequest, reason: "not a folder of at most \(mostFiles) files")
        }
        var (subjects, bodies, texts) = (JSONObject(), JSONObject(), JSONObject())
        for name in names.sorted() where !name.hasPrefix(".") {
            let text: String
            do {
                text = try contents(of: path + "/" + name)
            } catch {
                throw AuthError(.invalidRequest, reason: "\(name): can't be read, is too large or is no text")
            }
            if name.hasSuffix(".html") {
                bodies[String(name.dropLast(5))] = .string(text)
            } else if name.hasSuffix(".subject.txt") {
                subjects[String(name.dropLast(12))] = .string(text.trimmingCharacters(in: .whitespacesAndNewlines))
            } else if name.hasSuffix(".txt") {
                texts[String(name.dropLast(4))] = .string(text.trimmingCharacters(in: .newlines))
            } else {
                throw AuthError(.invalidRequest, reason: "\(name): expected KIND.html, KIND.subject.txt or KIND.txt")
            }
        }
        let parts = [("mail.subjects", subjects), ("mail.bodies", bodies), ("mail.texts", texts)]
        return parts.compactMap { path, value in
            DirectorySettings.setting(path).map { DirectoryChange(setting: $0, value: .object(value)) }
        }
    }

    /// - Throws: ``CommandFailure`` naming the file.
    static func contents(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path), data.count <= longest,
            let text = String(data: data, encoding: .utf8)
        else { throw CommandFailure("\(path): can't be read, is too large or is no text", .configuration) }
        return text
    }
}
