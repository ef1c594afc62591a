// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a request for a code must hold to, by what its client was registered for.
struct AuthorizationRules {
    private static let maximumText = 4096
    private static let maximumValues = 100
    private static let claimsLimits = JSONLimits(depth: 8, members: 200, bytes: 8192)

    private let client: Client

    init(_ client: Client) {
        self.client = client
    }

    private var registered: ClientAuthorization { client.settings.authorization }

    /// Refuses what may be sent nowhere: a place that the client did not register (RFC 9700, section 4.11).
    ///
    /// - Throws: ``AuthorizationRefusal`` without a response.
    func requireGood(_ redirectURI: String?) throws(AuthorizationRefusal) {
        guard let redirectURI, redirectURI.utf8.count <= Self.maximumText, registered.allows(redirectURI: redirectURI)
        else { throw AuthorizationRefusal(.invalidRequest, "redirect_uri is not one of the client's") }
    }

    /// Refuses what the client may not ask for.
    ///
    /// - Throws: ``AuthorizationRefusal`` with a response: the redirect URI is good.
    func requireAllowed(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters
    ) throws(AuthorizationRefusal) {
        guard registered.isEnabled, registered.grants.contains(.code) else {
            throw refusal(.unauthorizedClient, "the client may not use this grant", request, parameters)
        }
    }

    /// Refuses what is malformed, and takes from the scopes what the client was not registered for: an unknown scope is
    /// ignored (OpenID Connect Core, section 3.1.2.1), and the client learns by the token's `scope` what it has
    /// (RFC 6749, section 3.3).
    ///
    /// - Parameters:
    ///   - isPushed: whether the client itself has handed the request over.
    ///   - isSigned: whether it came signed by the client.
    ///   - bindsResources: whether `resource` only binds the code to what the exchange names, and opens nothing: it may
    ///     then be any.
    /// - Throws: ``AuthorizationRefusal`` with a response.
    func checked(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters, isPushed: Bool, isSigned: Bool,
        bindsResources: Bool = false
    ) throws(AuthorizationRefusal) -> AuthorizationRequest {
        func refuse(_ code: AuthorizationErrorCode, _ text: String) -> AuthorizationRefusal {
            refusal(code, text, request, parameters)
        }
        if registered.requiresPushedRequests, !isPushed {
            throw refuse(.invalidRequest, "the client must push its requests")
        }
        // RFC 9101, section 10.5: who can sign, and always does, is not spoken for by whoever does not.
        if registered.requiresSignedRequests, !isSigned {
            throw refuse(.invalidRequest, "the client must sign its requests")
        }
        if let fault = Self.fault(of: request, parameters) { throw refuse(.invalidRequest, fault) }
        if client.requiresPKCE, request.challenge == nil {
            throw refuse(.invalidRequest, "code_challenge is missing")
        }
        guard bindsResources || request.resources.allSatisfy(registered.resources.containsOctets) else {
            throw refuse(.invalidTarget, "resource is not one that the client was registered for")
        }
        var request = request
        var seen: Set<String> = []
        request.scopes = request.scopes.filter { registered.scopes.containsOctets(of: $0) && seen.insert($0).inserted }
        guard !request.scopes.isEmpty else { throw refuse(.invalidScope, "no scope that the client may ask for") }
        return request
    }

    private func refusal(
        _ code: AuthorizationErrorCode, _ text: String, _ request: AuthorizationRequest,
        _ parameters: AuthorizationParameters
    ) -> AuthorizationRefusal {
        AuthorizationRefusal(code, text, response: .error(code, text, to: request, parameters))
    }

    private static func fault(
        of request: AuthorizationRequest, _ parameters: AuthorizationParameters
    ) -> String? {
        if parameters.prompts.contains(.none), parameters.prompts.count > 1 { return "prompt none stands alone" }
        if let maxAge = parameters.maxAge, maxAge < 0 { return "max_age is negative" }
        if let key = request.dpopKey, Base64URL.decode(key)?.count != 32 { return "dpop_jkt is no SHA-256 thumbprint" }
        let texts = [request.nonce, parameters.state, parameters.loginHint, parameters.hintedSubject?.rawValue]
        if texts.contains(where: { ($0?.utf8.count ?? 0) > maximumText }) { return "a parameter is too long" }
        let lists = [request.resources, parameters.uiLocales, parameters.acrValues, request.scopes]
        let isLong = lists.contains { list in
            list.count > maximumValues || list.contains { $0.utf8.count > maximumText }
        }
        if isLong { return "a parameter has too many values" }
        return (try? request.claims.serialized(within: claimsLimits)) == nil ? "claims is too large" : nil
    }
}
