// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What a configured provider must be, whoever wrote it and wherever.
extension IdentityProvider {
    private static let maximumText = 255
    private static let maximumURL = 2048
    private static let maximumSecret = 8 * 1024
    private static let maximumValues = 100

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field.
    func requireWellFormed(_ settings: DirectorySettings) throws(AuthError) {
        if let displayName, !Self.isLine(displayName) { throw Self.refusal("1 to 255 characters", "display_name") }
        try requireIssuer()
        guard clientIDs.count <= Self.maximumValues, clientIDs.allSatisfy(Self.isWord),
            Set(clientIDs).count == clientIDs.count, !clientIDs.isEmpty || !isEnabled
        else { throw Self.refusal("at least one, each once, of visible characters", "client_ids") }
        try requireSecret()
        guard scopes.count <= Self.maximumValues, scopes.allSatisfy(Self.isWord) else {
            throw Self.refusal("visible characters without blanks", "scopes")
        }
        for (name, url) in [
            ("authorization_endpoint", endpoints.authorization), ("token_endpoint", endpoints.token),
            ("user_info_endpoint", endpoints.userInfo), ("jwks_uri", endpoints.jwks),
            ("revocation_endpoint", endpoints.revocation),
        ] {
            guard url.map(Self.isPlace) ?? true else { throw Self.refusal("an https URL without a fragment", name) }
        }
        guard organizations.isEmpty || kind == .google || kind == .microsoft,
            organizations.count <= Self.maximumValues, organizations.allSatisfy(Self.isWord)
        else { throw Self.refusal("tenants of Microsoft, or Workspace domains of Google", "organizations") }
        guard grantCheckHours == 0 || (24...8760).contains(grantCheckHours), grantCheckHours == 0 || givesGrants else {
            throw Self.refusal(
                "0, or 24 to 8760; of a provider that gives what can be asked about", "grant_check_hours")
        }
        guard attributeMapping.count <= Self.maximumValues,
            attributeMapping.allSatisfy({ Self.isLine($0.key) && Self.isLine($0.value) })
        else { throw Self.refusal("at most 100 of up to 255 characters", "attribute_mapping") }
        try settings.requireBounded(dialectData, "dialect_data")
    }

    /// Facebook gives none.
    private var givesGrants: Bool { kind != .facebook }

    private func requireIssuer() throws(AuthError) {
        switch (kind, issuer) {
        case (.openID, nil): throw Self.refusal("an OpenID provider is known by its issuer", "issuer")
        case (.openID, let issuer?), (.microsoft, let issuer?):
            // OpenID Connect Discovery 1.0, section 4.1: no query, no fragment.
            guard Self.isPlace(issuer), !issuer.utf8.contains(UInt8(ascii: "?")) else {
                throw Self.refusal("an https URL without query and fragment", "issuer")
            }
        case (_, .some): throw Self.refusal("the kind's own", "issuer")
        case (_, nil): break
        }
    }

    private func requireSecret() throws(AuthError) {
        if let secret, !(1...Self.maximumSecret).contains(secret.reveal().utf8.count) {
            throw Self.refusal("1 to \(Self.maximumSecret) octets", "secret")
        }
        guard kind == .apple else {
            guard appleTeamID == nil, appleKeyID == nil else { throw Self.refusal("for Apple alone", "apple_team_id") }
            return
        }
        guard let secret else { return }
        // The secret is made of it at each call: a key that can't sign is found out now, not at somebody's sign-in.
        guard (try? P256.Signing.PrivateKey(pemRepresentation: secret.reveal())) != nil else {
            throw Self.refusal("the team's private key, in PEM (PKCS #8)", "secret")
        }
        guard let appleTeamID, Self.isWord(appleTeamID) else {
            throw Self.refusal("the key is of a team", "apple_team_id")
        }
        guard let appleKeyID, Self.isWord(appleKeyID) else { throw Self.refusal("the key has a name", "apple_key_id") }
    }

    /// An https URL; one of this machine may be plain, for development: whether it is gone to is the transport's to
    /// say.
    private static func isPlace(_ text: String) -> Bool {
        guard text.utf8.count <= maximumURL, let url = RedirectURL(text), url.fragment.isEmpty, !url.host.isEmpty else {
            return false
        }
        return url.scheme == "https" || url.scheme == "http" && url.isLoopback
    }

    private static func isWord(_ text: String) -> Bool {
        (1...maximumText).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isLine(_ text: String) -> Bool {
        (1...maximumText).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } && StreamSafeText.accepts(text)
    }

    private static func refusal(_ reason: String, _ field: String) -> AuthError {
        AuthError(.invalidRequest, reason: reason, field: field)
    }
}
