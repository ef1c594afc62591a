// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Judges whether a call comes from the client that it says it is of (RFC 6749, section 2.3), by the one way that the
/// client is registered for.
public struct ClientAuthentication: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The client as it is stored now.
    ///
    /// - Parameters:
    ///   - id: of the client that the call says it is of.
    ///   - issuer: ours, which an assertion must be made out to.
    ///   - call: in the Directory of the client.
    /// - Throws: `AuthErrorCode.clientSecretInvalid` for a client that is not known, has not shown that it is the one,
    ///   or has shown it in another way than its own: it is told no more than that. `.rateLimited` for a caller that
    ///   has shown too much that was wrong, `.unavailable`.
    public func callAsFunction(
        _ id: ClientID, _ proof: ClientProof, issuer: String, call: CallContext
    ) async throws -> Client {
        try await callAsFunction(id, proof, issuer: issuer, call: call, asking: nil).client
    }

    /// As calling this, for whoever asks about a session once the client has proved itself: the store is asked in the
    /// same transaction, and nobody else is given the answer.
    public func callAsFunction(
        _ id: ClientID, _ proof: ClientProof, issuer: String, call: CallContext, asking question: SessionQuestion?
    ) async throws -> (client: Client, isSessionLive: Bool?) {
        let asked = ClientQuestion(id, knownAs: call.client, in: call.directory.id, and: question?.asked)
        if case .nothing = proof {
            let known = try await ports.store.answer(asked)
            return (try await judge(known.client, proof, issuer, call), question?.isLive(known.holder))
        }
        return try await ports.limits.guessing(at: id, call: call, store: ports.store, asking: asked) { known in
            (try await judge(known.client, proof, issuer, call), question?.isLive(known.holder))
        }
    }

    private func judge(
        _ known: Client?, _ proof: ClientProof, _ issuer: String, _ call: CallContext
    ) async throws -> Client {
        // What nobody is registered with is compared as well, in the same time, and never right.
        let client = known ?? Self.nobody(call)
        let isRight =
            switch proof {
            case .nothing: true
            case .secretBasic(let secret), .secretPost(let secret): client.hasSecret(secret.reveal())
            case .assertion(let text): try await spend(text.reveal(), client, issuer, call)
            }
        guard known != nil else { throw Self.refusal("no such client") }
        guard isRight else { throw Self.refusal("not the client's") }
        guard client.authenticates(by: proof.method) else {
            throw Self.refusal("not the way the client is registered for")
        }
        return client
    }

    private func spend(
        _ text: String, _ client: Client, _ issuer: String, _ call: CallContext
    ) async throws -> Bool {
        guard let keys = client.settings.authorization.keys,
            let set = try? VerificationKeySet(JWKSet(parsing: keys.serialized()))
        else { throw Self.refusal("no keys are registered") }
        let assertion: ClientAssertion
        do {
            assertion = try ClientAssertion(
                text, of: client.id, keys: set,
                allowing: client.settings.authorization.profile.map { Set($0.algorithms) }
                    ?? ClientAssertion.algorithms,
                issuer: issuer, at: call.now)
        } catch {
            throw Self.refusal("the assertion: \(error)")
        }
        let isFirst = try await ports.store.write { tx in
            try tx.spend(assertion.nonce, in: call.directory.id, until: assertion.expiry)
        }
        guard isFirst else { throw Self.refusal("the assertion was spent before") }
        return true
    }

    private static func refusal(_ reason: String) -> AuthError { AuthError(.clientSecretInvalid, reason: reason) }

    private static func nobody(_ call: CallContext) -> Client {
        let secret = ClientSecret(Secret("nobody's"), id: ClientSecretID(""), createdAt: call.now)
        return Client(
            id: ClientID(""), directoryID: call.directory.id, name: "", secrets: [secret], createdAt: call.now,
            updatedAt: call.now)
    }
}
