// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Testing

@testable import Factors

@Suite("Registering passkeys")
struct RegistrationTests {
    private static let now = Instant(seconds: 1_790_000_000)
    private var authenticator = SoftwareAuthenticator()
    private var ceremony = RegistrationCeremony(
        relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge)

    private func refusal(
        _ ceremony: RegistrationCeremony? = nil, _ change: (inout SoftwareAuthenticator) -> Void = { _ in }
    ) -> WebAuthnError.Code? {
        var authenticator = authenticator
        change(&authenticator)
        return FactorsTests.refusal {
            _ = try (ceremony ?? self.ceremony).verify(authenticator.register(), at: Self.now)
        }
    }

    private func with(_ change: (inout RegistrationCeremony) -> Void) -> RegistrationCeremony {
        var ceremony = ceremony
        change(&ceremony)
        return ceremony
    }

    @Test("G-9.7 a credential is kept as its authenticator made it")
    func kept() throws {
        var authenticator = authenticator
        (authenticator.flags, authenticator.count) = (0b1_1101, 7)
        var response = authenticator.register()
        response.isDiscoverable = true
        let credential = try ceremony.verify(response, at: Self.now)
        #expect(
            credential
                == RegisteredCredential(
                    id: authenticator.id, publicKey: CBORWriter.write(authenticator.key.cose), algorithm: .es256,
                    signatureCount: 7, transports: ["internal"], aaguid: authenticator.aaguid, isDiscoverable: true,
                    isUserVerified: true, isBackupEligible: true, isBackedUp: true, attestation: .none))
    }

    @Test(
        "G-9.7 an answer to another challenge is refused, and so is any answer to a challenge that is too short to be one"
    )
    func challenge() {
        #expect(refusal() == nil)
        #expect(refusal(with { $0.challenge[31] ^= 1 }) == .challengeMismatch)
        #expect(refusal(with { $0.challenge.append(0) }) == .challengeMismatch)
        for count in [0, 15] {
            let short = [UInt8](0..<UInt8(count))
            let ceremony = with { $0.challenge = short }
            #expect(
                FactorsTests.refusal { _ = try ceremony.verify(authenticator.register(short), at: Self.now) }
                    == .challengeMismatch)
        }
    }

    @Test(
        "G-9.7 an origin is one of ours octet by octet, and nothing like it",
        arguments: [
            "https://evil.example", "https://login.example.org.evil.example", "https://login.example.org/",
            "https://login.example.org:443", "http://login.example.org", "https://LOGIN.example.org",
            "https://sub.login.example.org", "https://example.or", "null", "", "https://login.example.org\u{200B}",
        ])
    func origin(_ origin: String) {
        #expect(refusal { $0.origin = origin } == .originNotAllowed)
        #expect(refusal { $0.origin = "https://example.org" } == nil)
    }

    @Test("G-9.7 origins that Unicode takes for equal are not the same one")
    func equivalentOrigins() {
        let ceremony = with { $0.relyingParty.origins = ["https://caf\u{E9}.example"] }
        #expect(refusal(ceremony) { $0.origin = "https://caf\u{E9}.example" } == nil)
        #expect(refusal(ceremony) { $0.origin = "https://cafe\u{301}.example" } == .originNotAllowed)
    }

    @Test("G-9.7 of another relying party, of an authentication, without a touch: refused")
    func wrongKind() {
        #expect(refusal { $0.relyingPartyID = "login.example.org" } == .relyingPartyMismatch)
        #expect(refusal { $0.type = "webauthn.get" } == .ceremonyMismatch)
        #expect(refusal { $0.type = "payment.get" } == .ceremonyMismatch)
        #expect(refusal { $0.flags = 0b100 } == .userNotPresent)
        #expect(refusal(with { $0.isConditional = true }) { $0.flags = 0 } == nil)
    }

    @Test(
        "G-9.7 a user who had to be verified and was not is refused; where that was only wished for, the outcome says so"
    )
    func verification() throws {
        let required = with { $0.userVerification = .required }
        #expect(refusal(required) == nil)
        #expect(refusal(required) { $0.flags = 1 } == .userNotVerified)
        var authenticator = authenticator
        authenticator.flags = 1
        for demand in [UserVerification.preferred, .discouraged] {
            let credential = try with { $0.userVerification = demand }.verify(authenticator.register(), at: Self.now)
            #expect(!credential.isUserVerified)
        }
    }

    @Test("G-9.7 what can't be backed up is not backed up")
    func backup() {
        #expect(refusal { $0.flags = 0b1_0101 } == .backupStateInvalid)
        #expect(refusal { $0.flags = 0b1101 } == nil)
    }

    @Test("G-9.7 a key of an algorithm that was not offered is refused")
    func algorithm() {
        #expect(refusal { $0.key = .p384(P384.Signing.PrivateKey()) } == .algorithmNotOffered)
        #expect(refusal { $0.key = .ed25519(Curve25519.Signing.PrivateKey()) } == nil)
        #expect(refusal(with { $0.algorithms = [.es384] }) == .algorithmNotOffered)
        #expect(refusal(with { $0.algorithms = [] }) == .algorithmNotOffered)
    }

    @Test(
        "G-9.7 a name of 1,023 octets is taken, one of 1,024 or none is not, and the answer names the one that was made"
    )
    func name() {
        #expect(refusal { $0.id = [UInt8](repeating: 1, count: 1023) } == nil)
        #expect(refusal { $0.id = [UInt8](repeating: 1, count: 1024) } == .tooLarge)
        #expect(refusal { $0.id = [] } == .malformed)
        var response = authenticator.register()
        response.id[0] ^= 1
        #expect(FactorsTests.refusal { _ = try ceremony.verify(response, at: Self.now) } == .credentialMismatch)
    }

    @Test("G-9.7 extensions that nobody asked for are passed over, if they are there as the flags say")
    func extensions() {
        #expect(refusal { $0.extensions = .map([.text("credProtect"): .integer(2)]) } == nil)
        #expect(refusal { $0.extensions = .integer(2) } == .malformed)
        #expect(refusal { $0.flags = 0b1000_0101 } == .malformed)
        #expect(refusal { $0.flags = 0b0100_0101 } == nil)
    }

    @Test("G-9.7 an answer without a credential, or of an authentication's data, registers nothing")
    func nothingMade() {
        var response = authenticator.register()
        response.attestationObject = SoftwareAuthenticator.attestation("none", .map([:]), authenticator.data())
        #expect(FactorsTests.refusal { _ = try ceremony.verify(response, at: Self.now) } == .malformed)
    }

    @Test(
        "G-9.7 client data with a byte order mark, members out of order and more of them is read; what is no object is not"
    )
    func clientData() {
        let challenge = Base64URL.encode(SoftwareAuthenticator.challenge)
        func refusal(_ text: String, mark: [UInt8] = []) -> WebAuthnError.Code? {
            var response = authenticator.register()
            response.clientDataJSON = mark + Array(text.utf8)
            return FactorsTests.refusal { _ = try ceremony.verify(response, at: Self.now) }
        }
        let members = #""origin":"https://example.org","challenge":"\#(challenge)","type":"webauthn.create""#
        #expect(refusal("{\(members)}") == nil)
        #expect(refusal("{\(members)}", mark: [0xEF, 0xBB, 0xBF]) == nil)
        #expect(refusal("{\(members)}", mark: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]) == .malformed)
        #expect(
            refusal(#" { "other_keys_can_be_added_here" : { "a" : [ 1 ] } , \#(members), "crossOrigin" : null } "#)
                == nil)
        #expect(refusal(#"{\#(members),"origin":"https://evil.example"}"#) == .malformed)
        #expect(refusal(#"{\#(members),"crossOrigin":"true"}"#) == .malformed)
        #expect(refusal(#"{\#(members),"topOrigin":1}"#) == .malformed)
        #expect(refusal("[]") == .malformed)
        #expect(refusal("{}") == .malformed)
        #expect(refusal("{\(members)}" + String(repeating: " ", count: 8192)) == .tooLarge)
    }

    @Test("G-9.7 an attestation of no format has nothing in it")
    func noneIsEmpty() {
        var response = authenticator.register()
        response.attestationObject = SoftwareAuthenticator.attestation(
            "none", .map([.text("sig"): .bytes([1])]), authenticator.registrationData())
        #expect(FactorsTests.refusal { _ = try ceremony.verify(response, at: Self.now) } == .attestationInvalid)
    }
}
