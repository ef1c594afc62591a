// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import Factors

/// What holds of whatever octets are said to be an authenticator's: for inputs that were kept (`AnswerCorpusTests`) and
/// for those that libFuzzer makes up (`scripts/fuzz`).
enum AnswerProperties: String, CaseIterable {
    case cbor, attestation, clientdata, authenticator

    /// What does not hold; `nil` when all does. Whether it was read at all is in `isRead`.
    func fault(of octets: [UInt8], isRead: inout Bool) -> String? {
        switch self {
        case .cbor: Self.cbor(octets, &isRead)
        case .attestation: Self.attestation(octets, &isRead)
        case .clientdata: Self.clientData(octets, &isRead)
        case .authenticator: Self.authenticatorData(octets, &isRead)
        }
    }

    /// One item is all of its octets: with fewer or more of them it is none.
    private static func cbor(_ octets: [UInt8], _ isRead: inout Bool) -> String? {
        guard (try? CBORReader.value(of: octets)) != nil else { return nil }
        isRead = true
        if (try? CBORReader.value(of: octets + [0])) != nil { return "an item with octets after it is read" }
        for count in 0..<min(octets.count, 64) where (try? CBORReader.value(of: Array(octets[..<count]))) != nil {
            return "the beginning of an item is read"
        }
        return nil
    }

    /// What authenticators say of themselves has the parts that its flags promise, and nothing else.
    private static func authenticatorData(_ octets: [UInt8], _ isRead: inout Bool) -> String? {
        guard let data = try? AuthenticatorData(octets) else { return nil }
        isRead = true
        guard data.octets == octets, data.relyingPartyHash == Array(octets.prefix(32)) else { return "other octets" }
        guard (data.attestedCredential != nil) == data.flags.contains(.attestedCredential),
            data.extensions.isEmpty || data.flags.contains(.extensions)
        else { return "a part that no flag promises" }
        if let credential = data.attestedCredential {
            guard credential.aaguid.count == 16, (1...AuthenticatorData.longestID).contains(credential.id.count),
                (try? CBORReader.value(of: credential.publicKey)) != nil
            else { return "a credential of another form" }
        }
        return (try? AuthenticatorData(octets + [0])) == nil ? nil : "octets after it are passed over"
    }

    /// What a page says answers one challenge, of one ceremony, from one of the origins.
    private static func clientData(_ octets: [UInt8], _ isRead: inout Bool) -> String? {
        guard let data = try? ClientData(octets) else { return nil }
        isRead = true
        func isTaken(_ ceremony: ClientData.Ceremony, _ challenge: [UInt8], _ party: RelyingParty) -> Bool {
            (try? data.check(ceremony, challenge: challenge, party)) != nil
        }
        let other = challenge.map { $0 ^ 1 }
        let ceremonies: [ClientData.Ceremony] = [.registration, .authentication]
        guard ceremonies.count(where: { isTaken($0, challenge, party) }) <= 1 else { return "both ceremonies at once" }
        for ceremony in ceremonies where isTaken(ceremony, challenge, party) {
            if isTaken(ceremony, other, party) { return "two challenges at once" }
            if isTaken(ceremony, [], party) { return "no challenge" }
            if isTaken(ceremony, challenge, RelyingParty(id: party.id, origins: [])) { return "no origin of ours" }
        }
        return nil
    }

    /// A registration is refused, or names a credential by a key that is fit for use, is trusted by nobody, and comes
    /// out the same twice; and nobody signs in by it who has not signed.
    private static func attestation(_ octets: [UInt8], _ isRead: inout Bool) -> String? {
        guard let object = try? AttestationObject(octets) else { return nil }
        isRead = true
        let id = object.authenticatorData.attestedCredential?.id ?? [1]
        let text = #"{"type":"webauthn.create","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"}"#
        let response = RegistrationResponse(id: id, clientDataJSON: Array(text.utf8), attestationObject: octets)
        let ceremony = RegistrationCeremony(
            relyingParty: party, challenge: challenge, algorithms: COSEAlgorithm.allCases)
        let now = Instant(seconds: 1_790_000_000)
        guard let made = try? ceremony.verify(response, at: now) else { return nil }
        guard made.id == id, made.attestation != .trusted, let key = try? COSEKey(made.publicKey),
            key.algorithm == made.algorithm
        else { return "a credential of another form" }
        guard let again = try? ceremony.verify(response, at: now), again.publicKey == made.publicKey,
            again.attestation == made.attestation
        else { return "another outcome the second time" }
        // Without the credential, which no sign-in has.
        var data = Array(object.authenticatorData.octets.prefix(37))
        data[32] &= 0b1_1101
        let signIn = AuthenticationResponse(
            id: id, clientDataJSON: Array(text.replacing("create", with: "get").utf8),
            authenticatorData: data, signature: [UInt8](repeating: 0, count: 64), userHandle: nil)
        let record = CredentialRecord(
            id: id, publicKey: made.publicKey, signatureCount: 0, isBackupEligible: made.isBackupEligible,
            userHandle: [1])
        let asked = AuthenticationCeremony(
            relyingParty: party, challenge: challenge, userVerification: .discouraged, isUserKnown: true)
        return (try? asked.verify(signIn, by: record)) == nil ? nil : "a signature of nothing"
    }

    private static let challenge = [UInt8](0..<32)
    private static let origin = "https://login.example.org"
    private static let party = RelyingParty(id: "example.org", origins: [origin])
}
