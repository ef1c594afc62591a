// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `AdminLinkProviderForUser`, `AdminDisableProviderForUser`: who a provider's user is here, by an operator's word.
enum LinkEndpoints {
    /// The user directory itself, as these two operations call it.
    private static let pool = "Cognito"
    private static let subject = "Cognito_Subject"
    private static let textLimit = 131_072

    /// `ProviderUserIdentifierType`.
    private struct Named {
        var provider: String
        var attribute: String?
        var value: String

        init(_ member: String, _ call: DialectCall) throws(WireError) {
            guard let members = try call.input.members(member) else { throw Input.missing(member) }
            let input = Input(members)
            provider = try input.required(Member("ProviderName", 1...32, .providerName))
            attribute = try input.text(Member("ProviderAttributeName", 0...textLimit))
            value = try input.required(Member("ProviderAttributeValue", 0...textLimit, sensitive: true))
        }

        var isOfPool: Bool { provider == pool }
    }

    static func link(_ call: DialectCall) async throws -> JSONObject {
        let (destination, source) = (try Named("DestinationUser", call), try Named("SourceUser", call))
        guard !source.isOfPool else {
            throw WireError.parameter("SourceUser must be a user of an external identity provider.")
        }
        let provider = try await provider(source, call)
        try requireSubject(source, of: provider)
        guard let user = try await user(destination, call) else { throw WireError.userNotFound }
        do {
            _ = try await call.accounts.identityAdministration.link(
                source.value, of: provider.name, to: user.id, call: call.flow)
            return [:]
        } catch let error as AuthError {
            switch error.code {
            case .identityAlreadyLinked where error.field == "user":
                throw WireError.parameter(
                    "Merging is not currently supported, provide a SourceUser that has not been signed up in order to "
                        + "link")
            case .conflict where error.field == "count":
                throw WireError(
                    "LimitExceededException", "A user has at most \(IdentityAdministration.maximum) linked identities.")
            // What its model declares has no word for it.
            case .emailNotVerified:
                throw WireError.parameter("DestinationUser is not confirmed. Confirm the user before linking.")
            default: throw error
            }
        }
    }

    static func disable(_ call: DialectCall) async throws -> JSONObject {
        let named = try Named("User", call)
        if named.isOfPool {
            guard named.attribute == subject else { throw notBySubject }
            guard let user = try await user(named, call) else { throw WireError.userNotFound }
            try await call.accounts.identityAdministration.disablePassword(of: user.id, call: call.flow)
            return [:]
        }
        let provider = try await provider(named, call)
        try requireSubject(named, of: provider)
        do {
            try await call.accounts.identityAdministration.unlink(named.value, of: provider.name, call: call.flow)
        } catch let error as AuthError where error.code == .identityNotFound {
            throw WireError.userNotFound
        }
        return [:]
    }

    // MARK: Shared

    private static func provider(_ named: Named, _ call: DialectCall) async throws -> IdentityProvider {
        let all = try await call.accounts.identityProviders.all(in: call.directory.id)
        guard let own = ProviderName.own(named.provider), let found = all.first(where: { $0.name == own }) else {
            throw WireError.notFound("Identity provider \(Input.excerpt(named.provider)) does not exist.")
        }
        return found
    }

    /// An identity is a subject. A claim beside it that is mapped to an attribute is somebody's word on a user, which
    /// may be written by that user: no account follows from it.
    private static func requireSubject(_ named: Named, of provider: IdentityProvider) throws(WireError) {
        guard named.attribute == subject || named.attribute.flatMap({ provider.attributeMapping[$0] }) == "sub" else {
            throw notBySubject
        }
        guard !named.value.isEmpty else { throw .parameter("ProviderAttributeValue must not be empty.") }
    }

    private static let notBySubject = WireError.parameter(
        "ProviderAttributeName must be \(subject), or an attribute that is mapped to the claim sub.")

    private static func user(_ named: Named, _ call: DialectCall) async throws -> User? {
        guard named.isOfPool else {
            guard let own = ProviderName.own(named.provider) else { return nil }
            return try await call.accounts.userAdministration.find(
                provider: own, subject: named.value, call: call.flow)?.user
        }
        guard (1...128).contains(named.value.unicodeScalars.count) else { return nil }
        return try await call.accounts.userAdministration.find(
            try call.identifier(ofUsername: named.value), call: call.flow)?.user
    }
}
