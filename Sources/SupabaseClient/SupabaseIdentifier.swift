// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user is reached by: an address, or a number.
struct SupabaseIdentifier: Sendable {
    let text: String
    let isEmail: Bool

    init(_ text: String) throws(AuthError) {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let trimmed = text.utf8.drop(while: blank).reversed().drop(while: blank).reversed()
        self.text = String(decoding: Array(trimmed), as: UTF8.self)
        isEmail = self.text.utf8.contains(UInt8(ascii: "@"))
        guard isEmail || (!self.text.isEmpty && self.text.utf8.allSatisfy { Self.ofNumbers.contains($0) }) else {
            throw AuthError(.invalidEmail, field: "email")
        }
    }

    private static let ofNumbers = Set("+0123456789 -()".utf8)

    /// What kind of code goes there for a sign-in.
    var codeKind: String { isEmail ? "email" : "sms" }

    /// With the identifier under its own name.
    func body(_ members: JSONObject) -> JSONObject {
        members.merging(isEmail ? ["email": .string(text)] : ["phone": .string(text)])
    }
}
