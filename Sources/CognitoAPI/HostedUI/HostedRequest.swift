// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// A request at `/oauth2/authorize`, `/login` and their kin, put into the standard's words. What the service does not know is
/// passed over, as the service does.
struct HostedRequest: Sendable {
    /// Those that mean here what they mean there.
    private static let shared: Set<String> = [
        "response_type", "client_id", "redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method",
        "prompt", "login_hint", "ui_locales", "resource",
    ]

    private let call: ClientCall
    /// What is given more than once.
    private let repeated: Set<String>
    private var registered: ClientAuthorization { call.client.settings.authorization }

    init(_ call: ClientCall) {
        self.call = call
        repeated = Set(
            Dictionary(call.parameters.map { ($0.name, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys)
    }

    /// - Throws: what is said on a page: the client may send nobody here, not back to that place, or not to be signed in by
    ///   what the request names.
    func standard() throws(OAuthError) -> [(name: String, value: String)] {
        guard registered.isEnabled else {
            throw .client("The app client is not enabled for sign-in in a browser")
        }
        guard let uri = call["redirect_uri"], registered.allows(redirectURI: uri) else {
            throw .mismatch("redirect_uri")
        }
        try requireProvider()
        // One that is given twice goes through as it is, to be refused (RFC 6749, section 3.1).
        var parameters = call.parameters.filter { Self.shared.contains($0.name) || repeated.contains($0.name) }
        if !repeated.contains("scope") { parameters.append((name: "scope", value: scopes.joined(separator: " "))) }
        if let language = call["lang"] { parameters.append((name: "ui_locales", value: language)) }
        return parameters
    }

    /// All that the client is registered for where the request names none.
    private var scopes: [String] {
        let asked = call.words("scope")
        return HostedScope.consistent(asked.isEmpty ? registered.scopes : asked)
    }

    /// The provider that the request leads to at once; `nil` for the pool itself, and where the user chooses.
    var provider: String? {
        guard let name = call["identity_provider"], name != ProviderName.pool else { return nil }
        return ProviderName.own(name).flatMap { registered.identityProviders.contains($0) ? $0 : nil }
    }

    /// The client has it, and the pool itself too: whoever has a password signs in on the same page.
    private func requireProvider() throws(OAuthError) {
        let asked = call.parameters.filter { $0.name == "identity_provider" || $0.name == "idp_identifier" }
            .filter { !$0.value.isEmpty }
        guard
            asked.allSatisfy({
                $0.name == "identity_provider" && ($0.value == ProviderName.pool || provider != nil)
            })
        else {
            throw .request("Login option is not available. Please try another one")
        }
        guard registered.identityProviders.contains(ProviderName.pool) else {
            throw .request("Login pages unavailable: the app client has no identity provider that is supported")
        }
    }
}
