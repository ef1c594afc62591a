// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Testing

@testable import Factors

@Suite("Signing in by passkeys")
struct AuthenticationTests {
    private var authenticator = SoftwareAuthenticator()
    private var ceremony = AuthenticationCeremony(
        relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge, isUserKnown: true)

    private func refusal(
        _ ceremony: AuthenticationCeremony? = nil, _ change: (inout SoftwareAuthenticator) -> Void = { _ in }
    ) -> WebAuthnError.Code? {
        var changed = authenticator
        change(&changed)
        return FactorsTests.refusal {
            _ = try (ceremony ?? self.ceremony).verify(changed.authenticate(), by: authenticator.record())
        }
    }

    private func with(_ change: (inout AuthenticationCeremony) -> Void) -> AuthenticationCeremony {
        var ceremony = ceremony
        change(&ceremony)
        return ceremony
    }

    @Test(
        "G-9.7 an answer holds for its own challenge: a replayed one does not, and none for a challenge too short to be one"
    )
    func challenge() {
        #expect(refusal() == nil)
        #expect(refusal(with { $0.challenge = [UInt8](32..<64) }) == .challengeMismatch)
        let empty = with { $0.challenge = [] }
        #expect(
            FactorsTests.refusal { _ = try empty.verify(authenticator.authenticate([]), by: authenticator.record()) }
                == .challengeMismatch)
    }

    @Test("G-9.7 foreign origins, another relying party, a registration's answer and no touch are refused")
    func wrongKind() {
        #expect(refusal { $0.origin = "https://login.example.org.evil.example" } == .originNotAllowed)
        #expect(refusal { $0.crossOrigin = #","crossOrigin":true"# } == .embeddingNotAllowed)
        #expect(refusal { $0.crossOrigin = #","topOrigin":"https://evil.example""# } == .embeddingNotAllowed)
        #expect(refusal { $0.relyingPartyID = "example.com" } == .relyingPartyMismatch)
        #expect(refusal { $0.type = "webauthn.create" } == .ceremonyMismatch)
        #expect(refusal { $0.flags = 0b100 } == .userNotPresent)
    }

    @Test(
        "G-9.7 user verification that was demanded and stripped is refused, also by clearing the bit of a good answer")
    func verification() throws {
        let required = with { $0.userVerification = .required }
        #expect(refusal(required) == nil)
        #expect(refusal(required) { $0.flags = 1 } == .userNotVerified)
        var response = try authenticator.authenticate()
        response.authenticatorData[32] &= ~4
        #expect(
            FactorsTests.refusal { _ = try required.verify(response, by: authenticator.record()) } == .userNotVerified)
        #expect(
            FactorsTests.refusal { _ = try ceremony.verify(response, by: authenticator.record()) } == .signatureInvalid)
        var unverified = authenticator
        unverified.flags = 1
        #expect(try !ceremony.verify(unverified.authenticate(), by: authenticator.record()).isUserVerified)
        unverified.flags = 1
        var raised = try unverified.authenticate()
        raised.authenticatorData[32] |= 4
        #expect(
            FactorsTests.refusal { _ = try required.verify(raised, by: authenticator.record()) } == .signatureInvalid)
    }

    @Test("G-9.7 signed by another key: refused")
    func otherKey() {
        #expect(refusal { $0.key = .p256(P256.Signing.PrivateKey()) } == .signatureInvalid)
        #expect(refusal { $0.key = .ed25519(Curve25519.Signing.PrivateKey()) } == .signatureInvalid)
    }

    @Test("G-9.7 only what was asked for answers, and is judged by its own record")
    func credential() {
        #expect(refusal(with { $0.allowed = [[1], authenticator.id] }) == nil)
        #expect(refusal(with { $0.allowed = [[1]] }) == .credentialNotAllowed)
        #expect(refusal { $0.id = [1] } == .credentialMismatch)
    }

    @Test("G-9.7 whose it is, the answer says where nothing else did, and contradicts nobody where something did")
    func userHandle() {
        let unknown = with { $0.isUserKnown = false }
        #expect(refusal(unknown) == nil)
        #expect(refusal(unknown) { $0.userHandle = nil } == .userHandleMissing)
        #expect(refusal(unknown) { $0.userHandle = Array("user-0002".utf8) } == .userHandleMismatch)
        #expect(refusal { $0.userHandle = nil } == nil)
        #expect(refusal { $0.userHandle = Array("user-0002".utf8) } == .userHandleMismatch)
    }

    @Test(
        "G-9.7 a counter that stands or goes back is refused, or told of where the operator says so; zeros count nothing"
    )
    func counter() throws {
        let cases: [(stored: UInt32, sent: UInt32, goesBack: Bool)] = [
            (0, 0, false), (0, 1, false), (5, 6, false), (.max - 1, .max, false), (5, 5, true), (5, 4, true),
            (5, 0, true), (.max, 1, true),
        ]
        let flagging = with { $0.counterPolicy = .flag }
        for (stored, sent, goesBack) in cases {
            var authenticator = authenticator
            authenticator.count = sent
            let response = try authenticator.authenticate()
            let record = authenticator.record(count: stored)
            #expect(
                FactorsTests.refusal { _ = try ceremony.verify(response, by: record) }
                    == (goesBack ? .counterRegressed : nil), "\(stored), then \(sent)")
            let outcome = try flagging.verify(response, by: record)
            #expect(outcome.isPossiblyCloned == goesBack)
            #expect(outcome.signatureCount == max(stored, sent))
        }
    }

    @Test("G-9.7 an authenticator stays eligible for backup or not, and says anew whether it is backed up")
    func backup() throws {
        #expect(refusal { $0.flags = 0b1101 } == .backupStateInvalid)
        #expect(refusal { $0.flags = 0b1_0101 } == .backupStateInvalid)
        var synced = authenticator
        synced.flags = 0b1_1101
        #expect(try ceremony.verify(synced.authenticate(), by: synced.record()).isBackedUp)
        let record = synced.record()
        synced.flags = 0b1101
        #expect(try !ceremony.verify(synced.authenticate(), by: record).isBackedUp)
        synced.flags = 0b101
        let response = try synced.authenticate()
        #expect(FactorsTests.refusal { _ = try ceremony.verify(response, by: record) } == .backupStateInvalid)
    }

    @Test("G-9.7 a record whose key can't be read opens nothing")
    func damagedRecord() throws {
        var record = authenticator.record()
        record.publicKey = []
        let response = try authenticator.authenticate()
        #expect(FactorsTests.refusal { _ = try ceremony.verify(response, by: record) } == .malformed)
    }

    @Test("G-9.7 no bit of an answer can be turned: neither of what was signed, nor of the signature")
    func everyBit() throws {
        let response = try authenticator.authenticate()
        let record = authenticator.record()
        let parts: [WritableKeyPath<AuthenticationResponse, [UInt8]>] = [
            \.authenticatorData, \.signature, \.clientDataJSON,
        ]
        for part in parts {
            for place in response[keyPath: part].indices {
                for bit in UInt8(0)..<8 {
                    var turned = response
                    turned[keyPath: part][place] ^= 1 << bit
                    #expect(FactorsTests.refusal { _ = try ceremony.verify(turned, by: record) } != nil)
                }
            }
        }
    }

    @Test("G-9.7 no answer can be cut short or added to")
    func everyLength() throws {
        let response = try authenticator.authenticate()
        let record = authenticator.record()
        let parts: [WritableKeyPath<AuthenticationResponse, [UInt8]>] = [
            \.authenticatorData, \.signature, \.clientDataJSON,
        ]
        for part in parts {
            for count in 0..<response[keyPath: part].count {
                var cut = response
                cut[keyPath: part] = Array(cut[keyPath: part].prefix(count))
                #expect(FactorsTests.refusal { _ = try ceremony.verify(cut, by: record) } != nil)
            }
            var longer = response
            longer[keyPath: part].append(0x20)
            #expect(FactorsTests.refusal { _ = try ceremony.verify(longer, by: record) } != nil)
        }
    }
}
