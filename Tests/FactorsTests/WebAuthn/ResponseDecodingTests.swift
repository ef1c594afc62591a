// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Factors

@Suite("Answers of clients as JSON")
struct ResponseDecodingTests {
    private static let octets = Base64URL.encode([1, 2, 3])

    private static func registration(_ change: (inout JSONObject) -> Void = { _ in }) -> JSONObject {
        var object: JSONObject = [
            "id": .string(octets), "rawId": .string(octets), "type": "public-key",
            "response": [
                "clientDataJSON": .string(octets), "attestationObject": .string(octets),
                "transports": ["hybrid", "internal", "hybrid"], "publicKeyAlgorithm": -7,
            ],
            "authenticatorAttachment": "platform", "clientExtensionResults": ["credProps": ["rk": true]],
        ]
        change(&object)
        return object
    }

    private static func authentication(_ userHandle: JSONValue?) -> JSONObject {
        var response: JSONObject = [
            "clientDataJSON": .string(octets), "authenticatorData": .string(octets), "signature": .string(octets),
        ]
        response["userHandle"] = userHandle
        return ["id": .string(octets), "rawId": .string(octets), "type": "public-key", "response": .object(response)]
    }

    @Test("G-9.7 a registration is read as toJSON() writes it")
    func registration() throws {
        let response = try RegistrationResponse(parsing: Self.registration().serialized())
        #expect(
            response
                == RegistrationResponse(
                    id: [1, 2, 3], clientDataJSON: [1, 2, 3], attestationObject: [1, 2, 3],
                    transports: ["hybrid", "internal"], isDiscoverable: true))
        let bare = try RegistrationResponse(
            Self.registration {
                $0["clientExtensionResults"] = nil
                $0["response"] = ["clientDataJSON": .string(Self.octets), "attestationObject": .string(Self.octets)]
            })
        #expect(bare.transports.isEmpty)
        #expect(bare.isDiscoverable == nil)
    }

    @Test("G-9.7 a user handle is there, or missing, null or empty")
    func userHandle() throws {
        #expect(try AuthenticationResponse(Self.authentication("AQID")).userHandle == [1, 2, 3])
        for none in [nil, JSONValue.null, ""] {
            #expect(try AuthenticationResponse(Self.authentication(none)).userHandle == nil)
        }
        let longest = Base64URL.encode([UInt8](repeating: 1, count: 64))
        #expect(refusal { _ = try AuthenticationResponse(Self.authentication(.string(longest))) } == nil)
        let longer = Base64URL.encode([UInt8](repeating: 1, count: 65))
        #expect(refusal { _ = try AuthenticationResponse(Self.authentication(.string(longer))) } == .tooLarge)
    }

    @Test("G-9.7 another type, names that differ, padding, numbers for texts and missing members are refused")
    func refused() {
        func refusal(_ change: (inout JSONObject) -> Void) -> WebAuthnError.Code? {
            FactorsTests.refusal { _ = try RegistrationResponse(Self.registration(change)) }
        }
        #expect(refusal { $0["type"] = "password" } == .malformed)
        #expect(refusal { $0["type"] = nil } == .malformed)
        #expect(refusal { $0["rawId"] = nil } == .malformed)
        #expect(refusal { $0["rawId"] = "" } == .malformed)
        #expect(refusal { $0["id"] = "AQIE" } == .credentialMismatch)
        #expect(refusal { $0["id"] = nil } == .credentialMismatch)
        #expect(refusal { $0["rawId"] = "AQI=" } == .malformed)
        #expect(refusal { $0["rawId"] = 1 } == .malformed)
        #expect(refusal { $0["response"] = nil } == .malformed)
        #expect(refusal { $0["response"] = [] } == .malformed)
        #expect(refusal { $0["response"] = ["clientDataJSON": "AQID"] } == .malformed)
        for transports in [["a b"], [""], [1], [.string(String(repeating: "a", count: 33))], "usb"] as [JSONValue] {
            #expect(
                refusal {
                    $0["response"] = [
                        "clientDataJSON": "AQID", "attestationObject": "AQID", "transports": transports,
                    ]
                } == .malformed)
        }
    }

    @Test("G-9.7 each member has an end: names, client data, the attestation, the whole")
    func bounds() {
        func text(_ count: Int) -> JSONValue { .string(Base64URL.encode([UInt8](repeating: 1, count: count))) }
        func refusal(_ name: Int = 3, _ clientData: Int = 3, _ attestation: Int = 3) -> WebAuthnError.Code? {
            FactorsTests.refusal {
                _ = try RegistrationResponse(
                    Self.registration {
                        ($0["id"], $0["rawId"]) = (text(name), text(name))
                        $0["response"] = ["clientDataJSON": text(clientData), "attestationObject": text(attestation)]
                    })
            }
        }
        #expect(refusal(1023, 8192, 65_536) == nil)
        #expect(refusal(1024) == .tooLarge)
        #expect(refusal(3, 8193) == .tooLarge)
        #expect(refusal(3, 3, 65_537) == .tooLarge)
        let blanks = [UInt8](repeating: 0x20, count: 256 << 10)
        #expect(
            FactorsTests.refusal {
                _ = try RegistrationResponse(parsing: Self.registration().serialized() + blanks)
            } == .tooLarge)
        #expect(FactorsTests.refusal { _ = try AuthenticationResponse(parsing: Array("[]".utf8)) } == .malformed)
    }
}
