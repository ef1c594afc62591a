// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import Factors

/// Other people's software at both ends of our options: `Vectors/record.py` says whose.
@Suite("Recorded answers of other software")
struct RecordedResponseTests {
    private static func recorded() throws -> JSONObject {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/recorded.json")
        return try JSONObject(parsing: Data(contentsOf: file))
    }

    private static func text(_ object: JSONObject, _ name: String) throws -> [UInt8] {
        try #require(object[name]?.objectValue).serialized()
    }

    @Test("G-9.7 the options that other software read are those that we write")
    func options() throws {
        let recorded = try Self.recorded()
        let creation = CreationOptions(
            relyingPartyID: "example.org", relyingPartyName: "Example", userHandle: SoftwareAuthenticator.userHandle,
            userName: "ada@example.org", displayName: "Ada", challenge: [UInt8](0..<32), timeout: 300_000,
            excluded: [CredentialDescriptor(id: Array("another".utf8), transports: ["internal", "hybrid"])])
        #expect(recorded["creationOptions"] == .object(creation.json))
        let id = try #require(
            recorded["registration"]?.objectValue?["id"]?.stringValue.flatMap { Base64URL.decode($0) })
        let request = RequestOptions(
            relyingPartyID: "example.org", challenge: [UInt8](32..<64), timeout: 300_000,
            allowed: [CredentialDescriptor(id: id)])
        #expect(recorded["requestOptions"] == .object(request.json))
    }

    @Test(
        "G-9.7 what a software authenticator answered is taken, with the key and the count that other software found in it"
    )
    func answers() throws {
        let recorded = try Self.recorded()
        let origin = try #require(recorded["origin"]?.stringValue)
        let relyingParty = RelyingParty(id: "example.org", origins: [origin])
        let credential = try RegistrationCeremony(relyingParty: relyingParty, challenge: [UInt8](0..<32))
            .verify(RegistrationResponse(parsing: Self.text(recorded, "registration")), at: Instant(seconds: 0))
        #expect(Hex.encode(credential.publicKey) == recorded["publicKey"]?.stringValue)
        let record = CredentialRecord(
            id: credential.id, publicKey: credential.publicKey, signatureCount: credential.signatureCount,
            isBackupEligible: credential.isBackupEligible, userHandle: SoftwareAuthenticator.userHandle)
        let response = try AuthenticationResponse(parsing: Self.text(recorded, "authentication"))
        let ceremony = AuthenticationCeremony(
            relyingParty: relyingParty, challenge: [UInt8](32..<64), allowed: [credential.id], isUserKnown: false)
        let outcome = try ceremony.verify(response, by: record)
        #expect(Int64(outcome.signatureCount) == recorded["signCount"]?.integerValue)
        #expect(!outcome.isUserVerified)
    }
}
