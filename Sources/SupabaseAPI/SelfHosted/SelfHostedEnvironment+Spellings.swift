// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SelfHostedEnvironment {
    /// The names of variables that say the same, the one that counts before the others first. Of a member of its
    /// structure that has a name of its own the platform's reader (envconfig 1.4) takes the whole name, and else that
    /// one alone; what it does not read, and people write, comes last.
    private static let spellings = [
        ["GOTRUE_API_API_EXTERNAL_URL", "API_EXTERNAL_URL", "GOTRUE_API_EXTERNAL_URL"],
        ["GOTRUE_API_PORT", "PORT"],
        ["GOTRUE_DB_DB_NAMESPACE", "DB_NAMESPACE"],
    ]

    /// Names that the platform reads so as well, and many programs mean something else by: the whole name counts here.
    private static let bareNames = [
        "DATABASE_URL": "GOTRUE_DB_DATABASE_URL", "REQUEST_ID_HEADER": "GOTRUE_API_REQUEST_ID_HEADER",
        "RP_ID": "GOTRUE_WEBAUTHN_RP_ID",
    ]

    /// Whether another spelling counts in the place of `name`, which is told where it says something else.
    mutating func isOverruled(_ name: String, _ value: String, in variables: [String: String]) -> Bool {
        guard let names = Self.spellings.first(where: { $0.contains(name) }),
            let stronger = names.prefix(while: { $0 != name }).first(where: { variables[$0]?.isEmpty == false })
        else { return false }
        if variables[stronger] != value {
            findings.append(Finding(kind: .notNeeded, name: name, reason: "\(stronger) is read in its place"))
        }
        return true
    }

    /// Names a variable that the platform would read by its short name, where nothing has its whole one.
    mutating func nameBare(_ name: String, in variables: [String: String]) {
        guard let whole = Self.bareNames[name], variables[whole]?.isEmpty ?? true else { return }
        findings.append(Finding(kind: .notNeeded, name: name, reason: "it is read as \(whole) alone"))
    }
}
