// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import TokenVerifier

/// How an API takes tokens that are bound to a key of their holder's (DPoP; RFC 9449, section 7). Without one it takes
/// none: such a token is refused, whatever it comes by.
///
/// An object: every request asks one, and is handed no copy of it.
public final class ProofPolicy: Sendable {
    let url: @Sendable () -> String
    let algorithms: [JWSAlgorithm]
    let isRequired: Bool
    let ledger: any ProofLedger
    let clock: @Sendable () -> Instant

    /// - Parameters:
    ///   - url: where clients reach this API, such as `https://api.example`, without a slash at its end: what a proof
    ///     names begins with it. Never taken from the request, whose sender writes it.
    ///   - isRequired: whether tokens that are bound to no key are refused altogether.
    ///   - algorithms: what proofs may be signed by.
    ///   - ledger: what is known of proofs that came before: ``SpentProofs`` where one process answers all requests.
    ///   - clock: what time it is.
    public init(
        url: @escaping @Sendable () -> String, isRequired: Bool = false,
        algorithms: [JWSAlgorithm] = DPoPProof.algorithms, ledger: any ProofLedger,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.url = url
        self.isRequired = isRequired
        self.algorithms = algorithms
        self.ledger = ledger
        self.clock = clock
    }

    /// Refuses a token that was not shown in the way that it is bound.
    func check(
        _ token: VerifiedToken, _ presented: PresentedToken, of request: Request
    ) async throws(AccessRefusal.Cause) {
        guard presented.scheme == .dpop else { return try checkBearer(token) }
        let proof = try read(
            request.headers, request.method.rawValue, request.uri.path, String(presented.text))
        do {
            try token.binding.require(proof.thumbprint)
        } catch {
            throw .token(error)
        }
        try requireNonce(of: proof, token)
        do throws(TokenError) {
            guard try await ledger.spend(proof, of: token, at: clock()) else { throw TokenError(.wrongBinding) }
        } catch {
            throw error.code == .keysUnavailable ? .token(error) : .proof("the proof was used before")
        }
    }

    private func checkBearer(_ token: VerifiedToken) throws(AccessRefusal.Cause) {
        do {
            try token.binding.require(nil)
        } catch {
            throw .token(error)
        }
        if isRequired { throw .token(TokenError(.wrongBinding, "a token that is bound to no key")) }
    }

    private func read(
        _ headers: HTTPFields, _ method: String, _ path: String, _ token: String
    ) throws(AccessRefusal.Cause) -> DPoPProof {
        let given = headers[values: .dpop]
        guard given.count == 1, let text = given.first else { throw .proof("one DPoP header is needed") }
        do {
            return try DPoPProof(
                text, for: .init(method: method, url: url() + path, accessToken: token), allowing: algorithms,
                at: clock())
        } catch {
            throw .proof(error.rawValue)
        }
    }

    private func requireNonce(of proof: DPoPProof, _ token: VerifiedToken) throws(AccessRefusal.Cause) {
        guard let nonces = ledger.nonces(for: token) else { return }
        let now = clock()
        guard let nonce = proof.nonce else {
            if ledger.requiresNonce(for: token) { throw .nonceNeeded(nonces.current(at: now)) }
            return
        }
        guard nonces.accepts(nonce, at: now) else { throw .nonceNeeded(nonces.current(at: now)) }
    }
}

extension HTTPField.Name {
    /// RFC 9449, section 4.1.
    static let dpop = HTTPField.Name("DPoP") ?? .trailer
    /// RFC 9449, section 8.1.
    static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .trailer
}
