// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import TokenVerifier

/// Tokens of the operator's whose signature was found good: an app sends the same project key with every call, so the
/// next one costs a hash.
///
/// A signature holds until the Directory has other keys. Times, roles and audiences are judged anew by whoever asks,
/// and so is a token that was refused: nobody fills the memory with those.
final class ProvenTokens: Sendable {
    /// Whose signature is meant.
    enum Signer: Hashable, Sendable {
        /// Any key of the Directory's, for API keys or for tokens.
        case directory
        /// The secret that every part of the platform shares, which has no name.
        case sharedSecret

        fileprivate var purposes: [SigningKeyRecord.Purpose] {
            switch self {
            case .directory: [.apiKeys, .tokens]
            case .sharedSecret: [.apiKeys]
            }
        }
    }

    private struct Place: Hashable {
        var directory: DirectoryID
        var signer: Signer
        var digest: TokenDigest
    }

    private struct Proof {
        var claims: JWTClaims
        /// The keys at the time, one edition a purpose.
        var editions: [KeyEdition]

        func isCurrent(_ newer: [KeyEdition], at now: Instant) -> Bool {
            editions.count == newer.count && zip(editions, newer).allSatisfy { $0.isCurrent($1, at: now) }
        }
    }

    private let keys: KeyRing
    private let capacity: Int
    private let proofs = Mutex<[Place: Proof]>([:])
    private let judged = AtomicNumber()

    /// - Parameter capacity: how many are remembered; beyond it all are judged once more.
    init(_ keys: KeyRing, capacity: Int = 1024) {
        self.keys = keys
        self.capacity = capacity
    }

    /// How many tokens had their signature looked at, for tests.
    var judgements: Int { judged.load() }

    /// What a token says that the Directory's operator has signed; `nil` for any other.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached and no keys are known.
    func claims(
        of text: String, by signer: Signer, in directory: Directory, at now: Instant
    ) async throws -> JWTClaims? {
        guard text.utf8.count <= ParsedJWS.defaultLimit else { return nil }
        let place = Place(directory: directory.id, signer: signer, digest: TokenDigest(of: text.utf8))
        var editions: [KeyEdition] = []
        for purpose in signer.purposes {
            editions.append(try await keys.edition(of: directory, purpose: purpose, at: now))
        }
        if let proof = proofs.withLock({ $0[place] }), proof.isCurrent(editions, at: now) { return proof.claims }
        guard let token = try? ParsedJWS(parsing: text.utf8), isSigned(token, by: signer, editions),
            let claims = try? JWTClaims(parsing: token.payload)
        else { return nil }
        proofs.withLock { proofs in
            if proofs.count >= capacity { proofs.removeAll() }
            proofs[place] = Proof(claims: claims, editions: editions)
        }
        return claims
    }

    private func isSigned(_ token: ParsedJWS, by signer: Signer, _ editions: [KeyEdition]) -> Bool {
        var candidates = editions.flatMap(\.verificationKeys)
        switch signer {
        case .directory:
            // The platform's own project keys name no key; such a token may fit any secret of the Directory.
            if let wanted = token.header.keyID { candidates = candidates.filter { $0.keyID == wanted } }
        case .sharedSecret:
            // The token may name a key, and names one that nobody has: so did the platform's.
            guard token.header.algorithm == .hs256 else { return false }
            candidates = candidates.filter { $0.keyID == nil }
        }
        guard !candidates.isEmpty else { return false }
        judged.add(1)
        return candidates.contains {
            switch signer {
            case .directory: (try? token.verify(with: $0)) != nil
            case .sharedSecret: (try? token.verify(with: $0, allowing: [.hs256])) != nil
            }
        }
    }
}
