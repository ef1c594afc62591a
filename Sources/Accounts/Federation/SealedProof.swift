// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A provider's word as an app carries it from a sign-in that was refused to the one that links it.
struct SealedProof: Sendable {
    private static let purpose = "latchkey federated proof 1"
    private static let nonceLength = 16
    private static let lifetime = TimeSpan.minutes(10)
    /// Of the claims, and as much again for the rest and its Base64.
    private static let maximumLength = 40 << 10

    let proof: FederatedProof
    let providerID: IdentityProviderID
    let nonce: [UInt8]
    /// Of what the app carries. What it stands for may be good for longer, elsewhere: ``FederatedProof/expiresAt``.
    let expiresAt: Instant

    init(_ judged: JudgedProof, at now: Instant, random: any RandomSource) throws(AuthError) {
        proof = judged.proof
        providerID = judged.provider.id
        nonce = judged.nonce ?? random.bytes(Self.nonceLength)
        let end = now + Self.lifetime
        expiresAt = judged.expiresAt.map { min($0, end) } ?? end
        guard now < expiresAt else { throw AuthError(.flowStateExpired) }
    }

    /// Opens what an app brings back.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given here; ``AuthErrorCode/flowStateExpired``.
    init(_ text: String, call: CallContext) throws(AuthError) {
        guard text.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory, upTo: Self.maximumLength)?.fields,
            fields.count == 13, let expiry = fields[11].fieldNumber,
            let claims = try? JSONObject(parsing: fields[7])
        else { throw AuthError(.flowStateNotFound) }
        var proof = FederatedProof(
            provider: fields[1].fieldText, issuer: fields[2].fieldText, subject: fields[3].fieldText,
            audience: fields[4].fieldText, email: try? EmailAddress(fields[5].fieldText),
            isEmailVouched: !fields[6].isEmpty, claims: claims)
        proof.givenName = fields[8].isEmpty ? nil : fields[8].fieldText
        proof.familyName = fields[9].isEmpty ? nil : fields[9].fieldText
        proof.expiresAt = fields[12].fieldNumber.map { Instant(microseconds: $0) }
        self.proof = proof
        providerID = IdentityProviderID(fields[0].fieldText)
        nonce = fields[10]
        expiresAt = Instant(microseconds: expiry)
        guard call.now < expiresAt else { throw AuthError(.flowStateExpired) }
    }

    /// Base64URL.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> String {
        let fields: [[UInt8]] = [
            Array(providerID.rawValue.utf8), Array(proof.provider.utf8), Array(proof.issuer.utf8),
            Array(proof.subject.utf8), Array(proof.audience.utf8), Array((proof.email?.rawValue ?? "").utf8),
            proof.isEmailVouched ? [1] : [], proof.claims.serialized(), Array((proof.givenName ?? "").utf8),
            Array((proof.familyName ?? "").utf8), nonce, Array(field: expiresAt.microseconds),
            proof.expiresAt.map { Array(field: $0.microseconds) } ?? [],
        ]
        return Base64URL.encode(try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random))
    }
}
