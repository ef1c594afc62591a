// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where dialects differ in what follows from a provider's word. What is safe is not among it: that is
/// ``FederationDecision``'s.
public struct FederationPolicy: Sendable {
    /// What a sign-in ends in.
    public enum Ending: Sendable {
        case session
        /// A code, for whoever knows the verifier (``ExchangeCode``): what comes back by a browser is no session yet.
        case code(AuthorizationRequest)
        /// Nothing: the caller wants the account alone.
        case nothing

        var isSession: Bool { if case .session = self { true } else { false } }
    }

    /// What has become of the account.
    public enum Moment: Sendable, Hashable, CaseIterable {
        case created
        case tookOver
        case linked
        case returned
    }

    /// What a dialect writes of the user from what the provider said.
    public struct Description: Sendable {
        /// Laid over ``User/userMetadata``.
        public var metadata: JSONObject
        /// Laid over what users write in the place of the call's dialect.
        public var attributes: JSONObject

        public init(metadata: JSONObject = [:], attributes: JSONObject = [:]) {
            self.metadata = metadata
            self.attributes = attributes
        }
    }

    public var ending: Ending
    /// What is done where somebody has an address that the provider does not vouch for.
    public var unvouched: FederationDecision.Unvouched
    /// Whether whoever has no account gets one, where Directory and provider let them.
    public var createsAccounts: Bool
    /// Whether somebody may come without any address, whatever the provider's configuration says.
    public var isEmailOptional: Bool
    /// Whether who redeems a code is given what the provider gave: kept until then.
    public var handsTokensOn: Bool
    /// Whether an identity may be linked whose address names somebody else. The address stays theirs either way.
    public var linksOthersAddresses: Bool
    /// Whether the session that a link opens takes the place of the one that asked for it.
    public var replacesSession: Bool
    /// What the Directory's dialect wants of accounts, where the call's own has no say in it; `nil` for nothing.
    public var schema: (any AccountSchema)?
    public var describe: @Sendable (FederatedProof, Moment) -> Description

    /// - Parameter describe: by default a newcomer's name and picture.
    public init(
        ending: Ending = .session, unvouched: FederationDecision.Unvouched = .needsConfirmation,
        createsAccounts: Bool = true, isEmailOptional: Bool = false, handsTokensOn: Bool = false,
        linksOthersAddresses: Bool = true,
        replacesSession: Bool = false, schema: (any AccountSchema)? = nil,
        describe: @escaping @Sendable (FederatedProof, Moment) -> Description = Self.newcomers
    ) {
        self.ending = ending
        self.unvouched = unvouched
        self.createsAccounts = createsAccounts
        self.isEmailOptional = isEmailOptional
        self.handsTokensOn = handsTokensOn
        self.linksOthersAddresses = linksOthersAddresses
        self.replacesSession = replacesSession
        self.schema = schema
        self.describe = describe
    }

    /// Whether it is the user who comes, and not a program that asks after them.
    var signsIn: Bool {
        switch ending {
        case .session, .code: true
        case .nothing: false
        }
    }

    /// Name and picture of somebody whom nobody has described yet.
    @Sendable public static func newcomers(_ proof: FederatedProof, _ moment: Moment) -> Description {
        guard moment == .created || moment == .tookOver else { return Description() }
        var metadata: JSONObject = [:]
        metadata[SharedField.name.rawValue] = proof.fullName.map(JSONValue.string)
        metadata[SharedField.picture.rawValue] = proof.picture.map(JSONValue.string)
        return Description(metadata: metadata)
    }
}

extension FederatedProof {
    /// What the user is called: `name` (OpenID Connect Core, section 5.1), or its parts.
    public var fullName: String? {
        if let name = claims["name"]?.stringValue, !name.isEmpty { return name }
        let parts = [
            givenName ?? claims["given_name"]?.stringValue, familyName ?? claims["family_name"]?.stringValue,
        ].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// `picture`, where it is an address of the web.
    public var picture: String? {
        let text = claims["picture"]?.stringValue ?? claims["avatar_url"]?.stringValue
        return text.flatMap { $0.hasPrefix("https://") ? $0 : nil }
    }
}

/// What came of a provider's word.
public struct FederatedOutcome: Sendable {
    public enum Ending: Sendable {
        case step(SignInStep)
        /// To be exchanged through ``ExchangeCode``.
        case code(String)
        case nothing
    }

    public var ending: Ending
    public var record: UserRecord
    /// The identity that was shown, as now stored.
    public var identity: Identity
    public var proof: FederatedProof
    public var moment: FederationPolicy.Moment
    /// Whether the address is another account's whom the provider knew by it before.
    public var isEmailRecycled: Bool

    public var isNew: Bool { moment == .created }

    /// The session, for callers whose protocol knows no steps in between.
    ///
    /// - Throws: ``AuthErrorCode/passwordChangeRequired``.
    public func session() throws(AuthError) -> IssuedSession {
        guard case .step(let step) = ending else {
            throw AuthError(.internalFailure, reason: "a sign-in that was to open no session")
        }
        return try step.session()
    }
}
