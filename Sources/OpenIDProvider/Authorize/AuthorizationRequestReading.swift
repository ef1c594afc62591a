// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit

/// Reads the parameters of an authorization request (OpenID Connect Core, section 3.1.2.1), at the authorization
/// endpoint and where a client pushes them, those that it has signed where it signs. What the values mean for the
/// client and the user is judged by the flows.
struct AuthorizationRequestReading: Sendable {
    private static let maximumWords = 20
    private static let maximumHint = 320

    let call: ProviderCall
    private var parameters: Parameters { call.parameters }

    /// How the answer goes back; the default where the request does not say, or says it so that nobody can tell.
    var mode: AuthorizationParameters.ResponseMode {
        parameters["response_mode"].flatMap(AuthorizationParameters.ResponseMode.init) ?? .query
    }

    /// What goes back with it. Given twice, none.
    var state: String? { parameters["state"] }

    /// - Throws: the error that the client is told.
    func read() async throws -> (request: AuthorizationRequest, parameters: AuthorizationParameters) {
        try refuseUnsupported()
        try parameters.requireSingle()
        try requireCode()
        let prompts = try prompts()
        let claims = try claims()
        let request = AuthorizationRequest(
            clientID: call.flow.client?.id, redirectURI: parameters["redirect_uri"],
            scopes: parameters.words("scope"), nonce: parameters["nonce"], challenge: try challenge(),
            resources: try Resource.list(parameters), claims: claims?.object ?? [:],
            dpopKey: try boundKey())
        let wishes = AuthorizationParameters(
            state: state, responseMode: mode, prompts: prompts, maxAge: try maximumAge(),
            loginHint: parameters["login_hint"].flatMap { $0.utf8.count <= Self.maximumHint ? $0 : nil },
            hintedSubject: try await hintedSubject(claims),
            // None of these is ever an error (section 15.1).
            uiLocales: Array(parameters.words("ui_locales").filter(Self.isTag).prefix(Self.maximumWords)),
            acrValues: Array(parameters.words("acr_values").prefix(Self.maximumWords)))
        return (request, wishes)
    }

    /// What is not built must not be passed over (section 6; the conformance suite looks).
    private func refuseUnsupported() throws(OAuthError) {
        for (name, code) in [
            ("request", "request_not_supported"), ("request_uri", "request_uri_not_supported"),
            ("registration", "registration_not_supported"),
        ] where parameters[name] != nil || parameters.isRepeated(name) {
            throw OAuthError(.badRequest, code, "\(name) is not supported")
        }
    }

    private func requireCode() throws(OAuthError) {
        guard try parameters.required("response_type") == ProviderMetadata.responseType else {
            throw OAuthError(
                .badRequest, "unsupported_response_type", "response_type must be \(ProviderMetadata.responseType)")
        }
        guard let given = parameters["response_mode"] else { return }
        guard AuthorizationParameters.ResponseMode(rawValue: given) != nil else {
            throw .invalidRequest("response_mode is not known")
        }
    }

    /// RFC 7636, section 4.3. A method that is left out means `plain`, which protects nothing (RFC 9700,
    /// section 2.1.1).
    private func challenge() throws(OAuthError) -> CodeChallenge? {
        let method = parameters["code_challenge_method"]
        guard let text = parameters["code_challenge"] else {
            guard method == nil else { throw .invalidRequest("code_challenge is missing") }
            return nil
        }
        guard method == ProviderMetadata.challengeMethod else {
            throw .invalidRequest("code_challenge_method must be \(ProviderMetadata.challengeMethod)")
        }
        guard let challenge = CodeChallenge(text) else {
            throw .invalidRequest("code_challenge is not the Base64URL of a SHA-256")
        }
        return challenge
    }

    /// Whose the code is to be (RFC 9449, section 10): of the key that is named, or that a pushed request was proved
    /// by.
    private func boundKey() throws(OAuthError) -> String? {
        let named = parameters["dpop_jkt"]
        guard let key = call.key, let named, key != named else { return named ?? call.key }
        throw .invalidProof("dpop_jkt is another key than the proof's")
    }

    private func prompts() throws(OAuthError) -> Set<AuthorizationParameters.Prompt> {
        var prompts: Set<AuthorizationParameters.Prompt> = []
        for word in parameters.words("prompt") {
            guard let prompt = AuthorizationParameters.Prompt(rawValue: word) else {
                throw .invalidRequest("prompt has a value that is not known")
            }
            prompts.insert(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw .invalidRequest("prompt has none beside another value")
        }
        return prompts
    }

    private func maximumAge() throws(OAuthError) -> Int64? {
        guard let text = parameters["max_age"] else { return nil }
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let seconds = Int64(text)
        else { throw .invalidRequest("max_age is not a number of seconds") }
        return seconds
    }

    private func claims() throws(OAuthError) -> ClaimsRequest? {
        guard let text = parameters["claims"] else { return nil }
        return try ClaimsRequest(parsing: text)
    }

    /// Who alone is to be answered for (section 3.1.2.2): whom an ID token of ours is about, also one that has expired,
    /// or whom `claims` names.
    private func hintedSubject(_ claims: ClaimsRequest?) async throws -> UserID? {
        let named = try claims?.subject()
        guard let text = parameters["id_token_hint"] else {
            guard let named else { return nil }
            return try await known(UserID(named))
        }
        guard let hint = try await IDTokenHint(text, call) else {
            throw OAuthError.invalidRequest("id_token_hint is not an ID token of this issuer")
        }
        guard named.map({ UserID($0) == hint.subject }) ?? true else {
            throw OAuthError.invalidRequest("id_token_hint and claims name two subjects")
        }
        return try await known(hint.subject)
    }

    /// Whom we call otherwise since they were brought along from elsewhere.
    private func known(_ subject: UserID) async throws -> UserID {
        try await call.accounts.findUser.called(subject.rawValue, call: call.flow)?.id ?? subject
    }

    /// RFC 5646, section 2.1, as far as a list of languages needs it.
    private static func isTag(_ text: String) -> Bool {
        text.utf8.count <= 35
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || (48...57).contains(byte) || (65...90).contains(byte)
                    || (97...122).contains(byte)
            }
    }
}
