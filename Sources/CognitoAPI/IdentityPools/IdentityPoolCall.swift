// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// One call about identity pools: its pool and its caller are known, its members are still to be read.
struct IdentityPoolCall: Sendable, LimitedCall {
    let dialect: CognitoDialect
    /// The pool's Directory, the time, the caller.
    let flow: CallContext
    let input: Input
    /// Of an operation that names one.
    let namedPool: IdentityPool?
    /// `nil` for whoever carries no signature.
    let administrator: String?

    var now: Instant { flow.now }
    var accounts: AccountFlows { dialect.accounts }
    var names: LoginNames { LoginNames(dialect: dialect) }

    /// The pool of an operation that names one, or an identity; the gateway has found it.
    func pool() throws -> IdentityPool {
        guard let namedPool else { throw IdentityPoolRefusal.poolNotFound }
        return namedPool
    }

    /// The identity that the call names.
    func identity() throws -> PoolIdentityID {
        try dialect.identityID(try input.required(.identityID))
    }

    /// The configured providers of the pool's Directory, enabled ones alone.
    func providers() async throws -> [IdentityProvider] {
        try await accounts.identityProviders.enabled(in: flow.directory.id)
    }

    // MARK: Limits

    var query: [String: String] { [:] }

    /// Somebody who shows an empty map of logins shows none.
    func memberText(_ name: String) -> String? {
        switch input.object[name] {
        case nil, .null: nil
        case .object(let members) where members.isEmpty: nil
        case .string(let text): text
        default: ""
        }
    }
}

extension CognitoDialect {
    /// `{region}:{UUID}`, as the service calls pools and identities.
    func wireID<Tag>(_ id: Identifier<Tag>) -> String { region + ":" + id.rawValue }

    func identityPoolID(_ text: String) -> IdentityPoolID? { identifier(text) }

    /// - Throws: ``IdentityPoolRefusal/identityNotFound``.
    func identityID(_ text: String) throws(IdentityPoolRefusal) -> PoolIdentityID {
        guard let id: PoolIdentityID = identifier(text) else { throw .identityNotFound }
        return id
    }

    private func identifier<Tag>(_ text: String) -> Identifier<Tag>? {
        guard text.hasPrefix(region + ":") else { return nil }
        return Identifier(String(text.dropFirst(region.count + 1)))
    }
}

extension Member.Pattern {
    static let wireID = Self(
        text: "[\\w-]+:[0-9a-f-]+", accepts: { isWord($0) || $0 == "-" || $0 == ":" },
        acceptsWhole: { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
                && parts[1].utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) || $0 == 45 }
        })
    static let developerName = Self(text: "[\\w._-]+") { isWord($0) || $0 == "." || $0 == "-" }
}

extension Member {
    static let identityID = Member("IdentityId", 1...55, .wireID)
    static let identityPoolID = Member("IdentityPoolId", 1...55, .wireID)
    static let developerName = Member("DeveloperProviderName", 1...128, .developerName)
    static let identityToken = Member("NextToken", 1...65_535, .notBlank)

    /// What the operator's programs call a user.
    static func developerUser(_ name: String) -> Member { Member(name, 1...1024) }
}
