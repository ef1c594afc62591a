// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Testing

/// What a program comes with.
enum ProgramCredential: Sendable, CustomTestStringConvertible {
    case nothing
    case key(APIKey.Kind, [String], State = .good)
    /// Supabase's long-lived tokens, for apps and for the operator.
    case anonymousToken
    case serviceRoleToken
    /// The access token of a service account whose key has these scopes.
    case serviceAccount([String])

    enum State: String, Sendable { case good, revoked, expired, misspelt }

    static let all: [ProgramCredential] =
        [.nothing, .anonymousToken, .serviceRoleToken]
        + [
            [], ["reports:read"], ["admin:users"], ["admin:directories"], ["admin:keys"], ["admin:clients"],
            ["admin:hashes"],
            ["admin:users", "admin:directories", "admin:keys", "admin:clients", "admin:hashes"],
            // What is nearly a scope is none.
            ["admin", "admin:*", "admin:users:read", "ADMIN:USERS", "admin:user", "admin:directories,admin:keys"],
        ].map { .key(.secret, $0) }
        + [
            .key(.publishable, []),
            .key(.publishable, ["admin:users", "admin:directories", "admin:keys", "admin:clients"]),
        ]
        + [.key(.secret, [], .revoked), .key(.secret, [], .expired), .key(.secret, [], .misspelt)]
        + [.key(.publishable, [], .revoked), .serviceAccount([]), .serviceAccount(["admin:users"])]

    var testDescription: String { "\(self)" }

    /// Whether it is a secret with all that this scope opens. Said here once more, in other words than in the server.
    func has(_ scope: String) -> Bool {
        switch self {
        case .key(.secret, let scopes, .good), .serviceAccount(let scopes): scopes == [] || scopes.contains(scope)
        case .nothing, .key, .anonymousToken, .serviceRoleToken: false
        }
    }

    var isGood: Bool {
        switch self {
        case .nothing: false
        case .key(_, _, let state): state == .good
        case .anonymousToken, .serviceRoleToken, .serviceAccount: true
        }
    }
}

/// What an operation asks of a program, whatever it is called by.
enum ProgramDemand: Sendable, Hashable {
    /// It lets anybody in.
    case nothing
    /// Any credential that names the Directory.
    case directory
    /// The key that ships in an app, and no other.
    case publishableKey
    case scope(String)
    /// It is a user's: no program may, whatever its key.
    case user
}
