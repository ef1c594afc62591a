// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// Proofs of keys (DPoP; RFC 9449): whoever shows one is given tokens that nobody else can use.
extension ProviderCall {
    private var nonces: DPoPNonces { DPoPNonces(key: directory.tokenKey) }

    /// The call with the key that it proves to have, where it brings a proof (section 5). A proof is good once.
    ///
    /// - Parameter isNeeded: whether a client that is registered for bound tokens must bring one.
    /// - Throws: `invalid_dpop_proof`, and `use_dpop_nonce` with one.
    func withProof(of client: Client, isNeeded: Bool = true) async throws -> ProviderCall {
        guard headers.contains(.dpop) else {
            guard !isNeeded || !client.settings.authorization.isDPoPBound else {
                throw OAuthError.invalidProof("The client is registered for bound tokens: a DPoP header is needed")
            }
            return self
        }
        let proof = try proof(allowing: client.settings.authorization.profile?.algorithms ?? DPoPProof.algorithms)
        try requireNonce(of: proof) { .nonceNeeded($0) }
        guard try await accounts.spendProof(proof.identifier, in: directory.id, until: proof.expiresAt) else {
            throw OAuthError.invalidProof("The proof was used before")
        }
        var call = self
        call.key = proof.thumbprint
        return call
    }

    /// Refuses an access token that was not shown as it is bound (section 7.1): a bound one without a proof of its key
    /// and of itself, and one that is bound to none by a proof.
    ///
    /// - Throws: `invalid_token`, `invalid_dpop_proof`, `use_dpop_nonce`, each with the challenge of section 7.1.
    func requireProof(of token: VerifiedToken, _ text: String, byProof: Bool) async throws {
        guard byProof else {
            guard token.binding == .bearer else {
                throw OAuthError.invalidToken(
                    challenge: .proof, "The access token is bound to a key, and comes by DPoP")
            }
            return
        }
        let proof: DPoPProof
        do {
            proof = try self.proof(token: text)
        } catch {
            throw error.challenged
        }
        do {
            try token.binding.require(proof.thumbprint)
        } catch {
            throw OAuthError.invalidToken(challenge: .proof, "The access token is not bound to the proof's key")
        }
        try requireNonce(of: proof) { OAuthError.nonceNeeded($0).challenged }
        guard try await accounts.spendProof(proof.identifier, in: directory.id, until: proof.expiresAt) else {
            throw OAuthError.invalidProof("The proof was used before").challenged
        }
    }

    /// The answer with what the next proof is to have, where this call brought one (section 8.2).
    func withNonce(_ response: Response) -> Response {
        guard headers.contains(.dpop) else { return response }
        var response = response
        response.headers[.dpopNonce] = nonces.current(at: now)
        return response
    }

    private func proof(
        token: String? = nil, allowing algorithms: [JWSAlgorithm] = DPoPProof.algorithms
    ) throws(OAuthError) -> DPoPProof {
        let given = headers[values: .dpop]
        guard given.count == 1, let text = given.first else { throw .invalidProof("One DPoP header is needed") }
        do {
            return try DPoPProof(
                text,
                for: .init(method: method.rawValue, url: provider.url + path, accessToken: token),
                allowing: algorithms, at: now)
        } catch {
            throw .invalidProof("The proof is not valid: \(error.rawValue)")
        }
    }

    private func requireNonce(of proof: DPoPProof, _ error: (String) -> OAuthError) throws(OAuthError) {
        let isGood =
            proof.nonce.map { nonces.accepts($0, at: now) } ?? !directory.settings.sessions.requiresProofNonces
        guard isGood else { throw error(nonces.current(at: now)) }
    }
}
