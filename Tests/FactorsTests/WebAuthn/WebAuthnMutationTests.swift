// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Testing

@testable import Factors

@Suite("Damaged answers of authenticators")
struct WebAuthnMutationTests {
    private static let now = Instant(seconds: 1_790_000_000)
    private static let ceremony = RegistrationCeremony(
        relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge)

    private static func selfAttested() throws -> RegistrationResponse {
        let authenticator = SoftwareAuthenticator()
        return try authenticator.register { message in
            [.text("alg"): .integer(-7), .text("sig"): .bytes(try authenticator.key.sign(message))]
        }
    }

    @Test("G-9.7 no bit can be turned of an answer that its own key has signed")
    func everyBit() throws {
        let response = try Self.selfAttested()
        #expect(try Self.ceremony.verify(response, at: Self.now).attestation == .selfSigned)
        for place in response.attestationObject.indices {
            for bit in UInt8(0)..<8 {
                var turned = response
                turned.attestationObject[place] ^= 1 << bit
                #expect(refusal { _ = try Self.ceremony.verify(turned, at: Self.now) } != nil, "octet \(place)")
            }
        }
    }

    @Test("G-9.7 an attestation object that ends anywhere but at its end is refused, and so is one that goes on")
    func everyLength() throws {
        let response = SoftwareAuthenticator().register()
        for count in 0..<response.attestationObject.count {
            var cut = response
            cut.attestationObject = Array(cut.attestationObject.prefix(count))
            #expect(refusal { _ = try Self.ceremony.verify(cut, at: Self.now) } == .malformed)
        }
        var longer = response
        longer.attestationObject.append(0)
        #expect(refusal { _ = try Self.ceremony.verify(longer, at: Self.now) } == .malformed)
    }

    @Test("G-9.7 authenticator data that ends anywhere but at its end is refused")
    func everyLengthOfData() {
        let authenticator = SoftwareAuthenticator()
        let data = authenticator.registrationData()
        for count in 0..<data.count {
            #expect(refusal { _ = try AuthenticatorData(Array(data.prefix(count))) } == .malformed)
        }
        #expect(refusal { _ = try AuthenticatorData(data + [0]) } == .malformed)
    }

    @Test("G-9.7 whatever octets come are read or refused, and nothing stops the process", arguments: 0..<4)
    func noise(_ seed: UInt64) throws {
        var random = SeededOctets(seed)
        let whole = try Self.selfAttested()
        for _ in 0..<2000 {
            let octets = random.octets(random.below(96))
            _ = refusal { _ = try CBORReader.value(of: octets) }
            _ = refusal { _ = try COSEKey(octets) }
            _ = refusal { _ = try ClientData(octets) }
            _ = refusal { _ = try AuthenticatorData([UInt8](repeating: 0, count: 32) + octets) }
            _ = refusal { _ = try AttestationCertificate(octets) }
            _ = refusal { _ = try RegistrationResponse(parsing: octets) }
            var changed = whole
            for _ in 0...random.below(4) {
                let place = random.below(changed.attestationObject.count)
                switch random.below(3) {
                case 0: changed.attestationObject[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: changed.attestationObject.remove(at: place)
                default: changed.attestationObject.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            guard changed != whole else { continue }
            #expect(refusal { _ = try Self.ceremony.verify(changed, at: Self.now) } != nil)
        }
    }
}
