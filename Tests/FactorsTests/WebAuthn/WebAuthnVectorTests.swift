// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import Factors

/// The test vectors of Web Authentication Level 3, section 16.
@Suite("Test vectors of Web Authentication")
struct WebAuthnVectorTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Vectors/specification.json")

    private struct Vector {
        let registration: RegistrationResponse
        let registrationChallenge: [UInt8]
        let aaguid: [UInt8]
        let authentication: AuthenticationResponse
        let authenticationChallenge: [UInt8]
        let root: [UInt8]

        init(_ name: String) throws {
            let file = try JSONObject(parsing: Data(contentsOf: WebAuthnVectorTests.file))
            let vector = try #require(file["cases"]?.objectValue?[name]?.objectValue)
            func octets(_ part: String, _ member: String) throws -> [UInt8] {
                try #require(Hex.decode(vector[part]?.objectValue?[member]?.stringValue ?? "-"))
            }
            let id = try octets("registration", "credential_id")
            registration = RegistrationResponse(
                id: id, clientDataJSON: try octets("registration", "clientDataJSON"),
                attestationObject: try octets("registration", "attestationObject"))
            registrationChallenge = try octets("registration", "challenge")
            aaguid = try octets("registration", "aaguid")
            authentication = AuthenticationResponse(
                id: id, clientDataJSON: try octets("authentication", "clientDataJSON"),
                authenticatorData: try octets("authentication", "authenticatorData"),
                signature: try octets("authentication", "signature"), userHandle: nil)
            authenticationChallenge = try octets("authentication", "challenge")
            root = try #require(Hex.decode(file["root"]?.stringValue ?? "-"))
        }

        func register(_ embedding: RelyingParty.Embedding = .refused) throws -> RegisteredCredential {
            try RegistrationCeremony(
                relyingParty: Self.relyingParty(embedding), challenge: registrationChallenge,
                algorithms: COSEAlgorithm.allCases, attestation: AttestationPolicy(roots: [root], demandsTrust: false)
            ).verify(registration, at: Instant(seconds: 1_790_000_000))
        }

        func authenticate(
            _ credential: RegisteredCredential, _ embedding: RelyingParty.Embedding = .refused
        ) throws -> VerifiedAssertion {
            try AuthenticationCeremony(
                relyingParty: Self.relyingParty(embedding), challenge: authenticationChallenge,
                allowed: [credential.id],
                isUserKnown: true
            ).verify(
                authentication,
                by: CredentialRecord(
                    id: credential.id, publicKey: credential.publicKey, signatureCount: credential.signatureCount,
                    isBackupEligible: credential.isBackupEligible, userHandle: [1]))
        }

        static func relyingParty(_ embedding: RelyingParty.Embedding) -> RelyingParty {
            RelyingParty(id: "example.org", origins: ["https://example.org"], embedding: embedding)
        }
    }

    @Test(
        "G-9.7 section 16: what the standard's own examples register is taken, and then signs in",
        arguments: [
            ("none-es256", .none, .es256), ("packed-self-es256", .selfSigned, .es256),
            ("none-es256-long-credential-id", .none, .es256), ("packed-es256", .trusted, .es256),
            ("packed-es384", .trusted, .es384), ("packed-es512", .trusted, .es512), ("packed-rs256", .trusted, .rs256),
            ("packed-eddsa", .trusted, .edDSA),
        ] as [(String, Attestation, COSEAlgorithm)])
    func taken(_ name: String, _ attestation: Attestation, _ algorithm: COSEAlgorithm) throws {
        let vector = try Vector(name)
        let credential = try vector.register()
        #expect(credential.attestation == attestation)
        #expect(credential.algorithm == algorithm)
        #expect(credential.aaguid == vector.aaguid)
        #expect(try !vector.authenticate(credential).isPossiblyCloned)
    }

    @Test(
        "G-9.7 section 16: an answer from a frame is refused unless frames are expected, and then only in the page that is",
        arguments: [("none-es256-crossOrigin", false), ("none-es256-topOrigin", true)])
    func framed(_ name: String, _ saysWhere: Bool) throws {
        let vector = try Vector(name)
        #expect(refusal { _ = try vector.register() } == .embeddingNotAllowed)
        #expect(refusal { _ = try vector.register(.within(["https://example.net"])) } == .embeddingNotAllowed)
        let listed = RelyingParty.Embedding.within(["https://example.com"])
        #expect(refusal { _ = try vector.register(listed) } == (saysWhere ? nil : .embeddingNotAllowed))
        let credential = try vector.register(.anywhere)
        #expect(refusal { _ = try vector.authenticate(credential) } == .embeddingNotAllowed)
        _ = try vector.authenticate(credential, .anywhere)
    }

    @Test(
        "G-9.7 section 16: an attestation of another format is refused as not judged here, whatever its key signs",
        arguments: ["tpm-es256", "android-key-es256", "apple-es256", "fido-u2f-es256"])
    func otherFormats(_ name: String) throws {
        #expect(refusal { _ = try Vector(name).register() } == .attestationUnsupported)
    }

    @Test("G-9.7 section 16: a key on Ed448 is refused as an algorithm that was not offered")
    func otherAlgorithm() throws {
        #expect(refusal { _ = try Vector("packed-ed448").register() } == .algorithmNotOffered)
    }
}
