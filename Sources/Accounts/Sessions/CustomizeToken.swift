// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Asks the operator's programs what a dialect's tokens are to say, before they are signed: whoever has a form of that
/// very dialect, and nobody else, so that what is said through one is never a claim of another's.
public struct CustomizeToken: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter claims: what would be signed, a set for each token.
    /// - Returns: what is to be signed, in the same order.
    /// - Throws: ``AuthErrorCode/hookRefused``, ``AuthErrorCode/hookFailed``. A session that was opened for these
    ///   tokens has ended then, since nobody is given them; one that is refreshed goes on, and its holder may try
    ///   again.
    public func callAsFunction(
        _ claims: [JSONObject], of issued: IssuedSession, trigger: HookQuestion.TokenTrigger? = nil, call: CallContext
    ) async throws -> [JSONObject] {
        guard !ports.hooks.blocking(.token, call).isEmpty else { return claims }
        let usual: HookQuestion.TokenTrigger = issued.renewal == .signedIn ? .signIn : .refresh
        var claims = claims
        let subject = HookQuestion.Subject(issued.user, issued.identities)
        let question = HookQuestion(
            .token(subject, session: issued.session, groups: issued.groups, claims: claims, trigger: trigger ?? usual),
            call: call)
        do {
            for (_, changes) in try await ports.hooks.ask(question, random: ports.random).get() {
                if let changed = changes.claims, changed.count == claims.count { claims = changed }
            }
            return claims
        } catch {
            if issued.renewal == .signedIn {
                try await ports.write(call) { _ = try SessionEnding($0).end(issued.session.id, because: .replaced) }
            }
            throw error
        }
    }
}
