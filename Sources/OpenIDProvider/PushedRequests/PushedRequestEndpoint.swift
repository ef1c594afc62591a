// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/par` (RFC 9126): a client hands over what it will ask for, and has it judged, before it sends a
/// browser here with nothing but a name for it.
enum PushedRequestEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        let (client, known) = try await call.authenticated()
        // RFC 9449, section 10.1: a proof binds the code to its key, as `dpop_jkt` does.
        let call =
            known.parameters["request_uri"] == nil ? try await known.withProof(of: client, isNeeded: false) : known
        // Section 2.1: it may not name another one.
        guard call.parameters["request_uri"] == nil else {
            throw OAuthError.invalidRequest("request_uri has no place in a pushed request")
        }
        let signed = try call.withSignedParameters()
        let (request, parameters) = try await AuthorizationRequestReading(call: signed).read()
        let pending = try await call.accounts.beginAuthorization(
            request, parameters, browser: nil, pushed: true, signed: signed.isSigned, call: call.flow)
        let answer = Answer.object(
            [
                "request_uri": .string(AuthorizeEndpoint.requestURIPrefix + pending.id.rawValue),
                "expires_in": .integer(BeginAuthorization.pushedLifetime.seconds),
            ], status: .created)
        return call.withNonce(answer)
    }
}
