// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the platform calls a service account: `NAME@PROJECT.iam.gserviceaccount.com`. No mail goes there.
struct ServiceAccountEmail: Sendable, Hashable {
    private static let domain = ".iam.gserviceaccount.com"

    let account: String
    let project: String

    init(_ account: String, in directory: Directory) {
        self.account = account
        project = directory.projectID
    }

    /// `nil` for a text of another form.
    init?(_ text: String) {
        guard text.utf8.count <= 256, text.hasSuffix(Self.domain),
            let at = text.utf8.firstIndex(of: UInt8(ascii: "@"))
        else { return nil }
        account = String(text[..<at])
        project = String(text[text.utf8.index(after: at)...].dropLast(Self.domain.count))
        guard !account.isEmpty, !project.isEmpty else { return nil }
    }

    var text: String { account + "@" + project + Self.domain }
}
