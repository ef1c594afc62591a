// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Factors

@Suite("Attestations of the format packed")
struct AttestationTests {
    private static let now = Instant(seconds: 1_790_000_000)

    /// A certificate and its key, and what of it a test wants otherwise.
    private struct Issued {
        var name: String
        var unit = "Authenticator Attestation"
        var country: String? = "SE"
        var isAuthority = false
        var longestPath: Int?
        var saysNoConstraints = false
        var mayCertify = true
        var aaguid: [UInt8]?
        var isModelCritical = false
        var starts: TimeInterval = 1_700_000_000
        var ends: TimeInterval = 1_900_000_000
        var critical: ASN1ObjectIdentifier?
        var key = P256.Signing.PrivateKey()

        static func authority(_ name: String, longestPath: Int? = nil) -> Issued {
            Issued(name: name, unit: "Authority", isAuthority: true, longestPath: longestPath)
        }

        private func subject() throws -> DistinguishedName {
            try DistinguishedName {
                if let country { CountryName(country) }
                OrganizationName("Example")
                OrganizationalUnitName(unit)
                CommonName(name)
            }
        }

        func certificate(by issuer: Issued? = nil) throws -> [UInt8] {
            var extensions = try Certificate.Extensions {
                if isAuthority { Critical(KeyUsage(keyCertSign: mayCertify, cRLSign: true)) }
            }
            if !saysNoConstraints {
                let constraints: BasicConstraints =
                    isAuthority ? .isCertificateAuthority(maxPathLength: longestPath) : .notCertificateAuthority
                try extensions.append(Certificate.Extension(constraints, critical: true))
            }
            if let aaguid {
                let value = [4, UInt8(aaguid.count)] + aaguid
                try extensions.append(
                    Certificate.Extension(
                        oid: [1, 3, 6, 1, 4, 1, 45_724, 1, 1, 4], critical: isModelCritical, value: value[...]))
            }
            if let critical {
                try extensions.append(Certificate.Extension(oid: critical, critical: true, value: [5, 0]))
            }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(bytes: [1]), publicKey: .init(key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: starts), notValidAfter: Date(timeIntervalSince1970: ends),
                issuer: (issuer ?? self).subject(), subject: subject(), signatureAlgorithm: .ecdsaWithSHA256,
                extensions: extensions, issuerPrivateKey: .init((issuer ?? self).key))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    private let root = Issued.authority("Root")
    private let leaf = Issued(name: "Model")
    private let authenticator = SoftwareAuthenticator()

    /// What comes of an answer that `key` has attested by `chain`.
    private func outcome(
        _ chain: [[UInt8]], by key: P256.Signing.PrivateKey, roots: [[UInt8]], demandsTrust: Bool = false,
        algorithm: Int64 = -7
    ) throws -> Attestation {
        let response = try authenticator.register { message in
            [
                .text("alg"): .integer(algorithm),
                .text("sig"): .bytes(Array(try key.signature(for: message).derRepresentation)),
                .text("x5c"): .array(chain.map(CBORValue.bytes)),
            ]
        }
        return try RegistrationCeremony(
            relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge,
            attestation: AttestationPolicy(roots: roots, demandsTrust: demandsTrust)
        ).verify(response, at: Self.now).attestation
    }

    private func outcome(_ leaf: Issued) throws -> Attestation {
        try outcome([leaf.certificate(by: root)], by: leaf.key, roots: [root.certificate()])
    }

    @Test(
        "G-9.7 a certificate under a root of ours is trusted, under none it is not, and where trust is demanded it is refused"
    )
    func trust() throws {
        let chain = [try leaf.certificate(by: root)]
        #expect(try outcome(chain, by: leaf.key, roots: [root.certificate()], demandsTrust: true) == .trusted)
        #expect(try outcome(chain, by: leaf.key, roots: []) == .untrusted)
        #expect(try outcome(chain, by: leaf.key, roots: [Issued.authority("Root").certificate()]) == .untrusted)
        #expect(
            refusal { _ = try outcome(chain, by: leaf.key, roots: [], demandsTrust: true) } == .attestationUntrusted)
        #expect(try outcome(chain, by: leaf.key, roots: chain) == .trusted)
    }

    @Test("G-9.7 where models are named no other is taken, whatever attests it, and naming none takes every one")
    func models() throws {
        let (own, other) = (authenticator.aaguid, [UInt8](repeating: 8, count: 16))
        let chain = [try leaf.certificate(by: root)]
        func outcome(_ models: Set<[UInt8]>, isAttested: Bool) throws -> Attestation {
            let response =
                try isAttested
                ? authenticator.register { message in
                    [
                        .text("alg"): .integer(-7),
                        .text("sig"): .bytes(Array(try leaf.key.signature(for: message).derRepresentation)),
                        .text("x5c"): .array(chain.map(CBORValue.bytes)),
                    ]
                } : authenticator.register()
            return try RegistrationCeremony(
                relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge,
                attestation: AttestationPolicy(
                    roots: [root.certificate()], demandsTrust: isAttested, models: models)
            ).verify(response, at: Self.now).attestation
        }
        for isAttested in [true, false] {
            let usual: Attestation = isAttested ? .trusted : .none
            #expect(try outcome([], isAttested: isAttested) == usual)
            #expect(try outcome([own, other], isAttested: isAttested) == usual)
            #expect(refusal { _ = try outcome([other], isAttested: isAttested) } == .modelNotAllowed)
        }
    }

    @Test("G-9.7 where trust is demanded, no attestation and the key's own word are refused")
    func demanded() throws {
        let ceremony = RegistrationCeremony(
            relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge,
            attestation: try AttestationPolicy(roots: [root.certificate()], demandsTrust: true))
        #expect(refusal { _ = try ceremony.verify(authenticator.register(), at: Self.now) } == .attestationUntrusted)
        let own = try authenticator.register { message in
            [.text("alg"): .integer(-7), .text("sig"): .bytes(try authenticator.key.sign(message))]
        }
        #expect(refusal { _ = try ceremony.verify(own, at: Self.now) } == .attestationUntrusted)
    }

    @Test("G-9.7 the key's own word is of its own algorithm and its own key")
    func selfSigned() throws {
        let ceremony = RegistrationCeremony(
            relyingParty: SoftwareAuthenticator.relyingParty, challenge: SoftwareAuthenticator.challenge)
        for (algorithm, key) in [(-35, authenticator.key), (-7, SoftwareAuthenticator().key)]
            as [(Int64, SoftwareAuthenticator.PrivateKey)]
        {
            let response = try authenticator.register { message in
                [.text("alg"): .integer(algorithm), .text("sig"): .bytes(try key.sign(message))]
            }
            #expect(refusal { _ = try ceremony.verify(response, at: Self.now) } == .attestationInvalid)
        }
    }

    @Test(
        "G-9.7 a chain by way of authorities is trusted as long as each may issue, is valid, and issued the one before it"
    )
    func chains() throws {
        let between = Issued.authority("Between", longestPath: 0)
        let chain = [try leaf.certificate(by: between), try between.certificate(by: root)]
        let roots = [try root.certificate()]
        #expect(try outcome(chain, by: leaf.key, roots: roots) == .trusted)
        #expect(try outcome([chain[0]], by: leaf.key, roots: roots) == .untrusted)
        #expect(try outcome(chain + roots, by: leaf.key, roots: roots) == .trusted)
        let tooLong = Issued.authority("Root", longestPath: 0)
        #expect(
            try outcome(
                [chain[0], between.certificate(by: tooLong)], by: leaf.key, roots: [tooLong.certificate()])
                == .untrusted)
        var unfit: [Issued] = []
        for _ in 0..<4 { unfit.append(between) }
        unfit[0].isAuthority = false
        unfit[1].mayCertify = false
        unfit[2].ends = 1_750_000_000
        unfit[3].critical = [1, 2, 3, 4]
        for issuer in unfit {
            let chain = [try leaf.certificate(by: issuer), try issuer.certificate(by: root)]
            #expect(try outcome(chain, by: leaf.key, roots: roots) == .untrusted)
        }
        var impostor = between
        impostor.key = P256.Signing.PrivateKey()
        #expect(
            try outcome([leaf.certificate(by: impostor), chain[1]], by: leaf.key, roots: roots) == .untrusted)
    }

    @Test("G-9.7 a certificate that is not valid yet or no more vouches for nothing, nor does such a root")
    func dates() throws {
        for (starts, ends) in [(1_800_000_000, 1_900_000_000), (1_700_000_000, 1_780_000_000)] as [(Double, Double)] {
            var other = leaf
            (other.starts, other.ends) = (starts, ends)
            #expect(try outcome(other) == .untrusted)
            var old = root
            (old.starts, old.ends) = (starts, ends)
            #expect(
                try outcome([leaf.certificate(by: old)], by: leaf.key, roots: [old.certificate()]) == .untrusted)
        }
    }

    @Test("G-9.7 section 8.2.1: what a certificate must be that attests")
    func requirements() throws {
        func refusal(_ change: (inout Issued) -> Void) -> WebAuthnError.Code? {
            var other = leaf
            change(&other)
            return FactorsTests.refusal { _ = try outcome(other) }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.unit = "Authenticator attestation" } == .attestationInvalid)
        #expect(refusal { $0.country = nil } == .attestationInvalid)
        #expect(refusal { $0.name = "" } == .attestationInvalid)
        #expect(refusal { $0.isAuthority = true } == .attestationInvalid)
        #expect(refusal { $0.saysNoConstraints = true } == .attestationInvalid)
        #expect(refusal { $0.aaguid = authenticator.aaguid } == nil)
        #expect(refusal { $0.aaguid = [UInt8](repeating: 8, count: 16) } == .attestationInvalid)
        #expect(refusal { $0.aaguid = Array(authenticator.aaguid.prefix(15)) } == .attestationInvalid)
        #expect(
            refusal {
                $0.aaguid = authenticator.aaguid
                $0.isModelCritical = true
            } == .attestationInvalid)
    }

    @Test("G-9.7 an attestation by another key, of another algorithm or with certificates that are none is refused")
    func signature() throws {
        let chain = [try leaf.certificate(by: root)]
        let roots = [try root.certificate()]
        func refusal(_ chain: [[UInt8]], _ key: P256.Signing.PrivateKey, _ algorithm: Int64 = -7) -> WebAuthnError.Code?
        {
            FactorsTests.refusal { _ = try outcome(chain, by: key, roots: roots, algorithm: algorithm) }
        }
        #expect(refusal(chain, root.key) == .attestationInvalid)
        #expect(refusal(chain, leaf.key, -257) == .attestationInvalid)
        #expect(refusal(chain, leaf.key, -35) == .attestationInvalid)
        #expect(refusal(chain, leaf.key, -65_535) == .attestationUnsupported)
        #expect(refusal([], leaf.key) == .attestationInvalid)
        #expect(refusal([[1, 2, 3]], leaf.key) == .attestationInvalid)
        #expect(refusal([chain[0] + [0]], leaf.key) == .attestationInvalid)
        #expect(refusal([UInt8](repeating: 0, count: 6).map { _ in chain[0] }, leaf.key) == .tooLarge)
        #expect(refusal([[UInt8](repeating: 0x30, count: 8193)], leaf.key) == .tooLarge)
        #expect(
            FactorsTests.refusal { _ = try AttestationPolicy(roots: [[1]], demandsTrust: true) } == .attestationInvalid)
    }
}
