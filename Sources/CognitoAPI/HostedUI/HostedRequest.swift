// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// A request at `/oauth2/authorize`, `/login` and their kin, put into the standard's words. What the service does not
/// know is passed over, as the service does.
struct HostedRequest: Sendable {
    /// Those that mean here what they mean there.
    private static let shared: Set<String> = [
        "response_type", "client_id", "redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method",
        "prompt", "login_hint", "ui_locales", "resource",
    ]

    private let call: ClientCall
    /// What is given more than once.
    private let repeated: Set<String>
    /// The provider that has the identifier which the request names (`idp_identifier`).
    private let identified: String?
    private var registered: ClientAuthorization { call.client.settings.authorization }

    init(_ call: ClientCall, _ accounts: AccountFlows) async throws {
        self.call = call
        repeated = Set(
            Dictionary(call.parameters.map { ($0.name, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys)
        if let identifier = call["idp_identifier"] {
            identified = try await accounts.identityProviders.enabled(in: call.client.directoryID)
                .first { ProviderDetails.identifiers(of: $0).contains(identifier) }?.name
        } else {
            identified = nil
        }
    }

    /// - Throws: what is said on a page: the client may send nobody here, not back to that place, or not to be signed
    ///   in by what the request names.
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

    /// The provider that the request leads to at once: that which it names, or the only one that there is; `nil` where
    /// the user chooses, and for the pool itself.
    var provider: String? {
        guard let name = call["identity_provider"] else {
            guard call["idp_identifier"] == nil else { return identified.flatMap(registeredName) }
            return registered.providersOnly && registered.identityProviders.count == 1
                ? registered.identityProviders.first : nil
        }
        return name == ProviderName.pool ? nil : ProviderName.own(name).flatMap(registeredName)
    }

    private func registeredName(_ name: String) -> String? {
        registered.identityProviders.contains(name) ? name : nil
    }

    /// The client has what is named, and anything at all.
    private func requireProvider() throws(OAuthError) {
        guard !registered.identityProviders.isEmpty else {
            throw .request("Login pages unavailable: the app client has no identity provider that is supported")
        }
        let names = ["identity_provider", "idp_identifier"]
        guard call.parameters.contains(where: { names.contains($0.name) && !$0.value.isEmpty }) else { return }
        let isPool = call["identity_provider"] == ProviderName.pool && !registered.providersOnly
        // One that is given twice, or beside the other, leads nowhere.
        let isOne = call.parameters.filter { names.contains($0.name) && !$0.value.isEmpty }.count == 1
        guard isOne, isPool || provider != nil else {
            throw .request("Login option is not available. Please try another one")
        }
    }
}
