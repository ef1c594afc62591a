// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:signInWithIdp`: signs in whom an identity provider vouches for, or links the identity to the user of an ID
/// token. Which account it is, and whether there is to be one, ``AccountModel/FederationDecision`` says.
enum ProviderSignInEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        let response = try ProviderResponse(call.body)
        let given = try await ProviderCredential(response, call)
        let linking = try call.body.given("idToken") != nil ? try await call.signedIn() : nil
        let call = linking?.call ?? call
        let judged = try await given.judged(call)
        let answer = ProviderAnswer(judged, given, call)
        do {
            let outcome = try await call.accounts.federatedSignIn(
                judged, linkingTo: linking?.user, policy: try policy(call), call: call.flow)
            return try await answer.signedIn(outcome)
        } catch let error as AuthError {
            return try await answer.refused(error, linking: linking != nil)
        }
    }

    /// One account has an address, as the platform has it where nothing else is said: who comes by another way is told
    /// to sign in and to link.
    private static func policy(_ call: DialectCall) throws -> FederationPolicy {
        FederationPolicy(
            unvouched: .needsConfirmation, createsAccounts: try call.body.flag("autoCreate") ?? true,
            isEmailOptional: true, linksOthersAddresses: false, replacesSession: true)
    }
}
