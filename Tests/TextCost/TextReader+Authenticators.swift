// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import AuthTypes
    @testable import Factors

    extension TextReader {
        /// What authenticators and the browsers before them answer.
        static var authenticators: [TextReader] {
            [
                TextReader("client data of an authenticator", ClientData.longest) {
                    _ = try ClientData(Array($0.utf8))
                },
                TextReader("client data's members", ClientData.longest / 4) { text in
                    for name in ["type", "challenge", "origin", "topOrigin", "more"] {
                        let object: JSONObject = ["type": "webauthn.get", "challenge": "A", "origin": "x"]
                        _ = try? ClientData(object.merging([name: .string(text)]).serialized())
                    }
                },
                TextReader("cbor", 16 << 10) { _ = try CBORReader.value(of: Array($0.utf8)) },
                TextReader("cbor items", 16 << 10, countsOnly: true) { text in
                    // Arrays of as many numbers, texts and names as there are octets.
                    let count = text.utf8.count / 4
                    let head: [UInt8] = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
                    _ = try? CBORReader.value(of: [0x99] + head + [UInt8](repeating: 0x01, count: count))
                    _ = try? CBORReader.value(of: [0x99] + head + [UInt8](repeating: 0x60, count: count))
                    let members = (0..<count).flatMap { number -> [UInt8] in
                        [0x19, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 0x00]
                    }
                    _ = try? CBORReader.value(of: [0xB9] + head + members)
                },
                TextReader("cbor text", 16 << 10) { text in
                    let octets = Array(text.utf8)
                    let head: [UInt8] = [
                        UInt8(truncatingIfNeeded: octets.count >> 8), UInt8(truncatingIfNeeded: octets.count),
                    ]
                    _ = try? CBORReader.value(of: [0x79] + head + octets)
                    _ = try CBORReader.value(of: [0xA1, 0x79] + head + octets + [0x00])
                },
                TextReader("attestation's format", 16 << 10) { text in
                    let octets = Array(text.utf8)
                    let head: [UInt8] = [
                        0xA3, 0x63, 0x66, 0x6D, 0x74, 0x79, UInt8(truncatingIfNeeded: octets.count >> 8),
                        UInt8(truncatingIfNeeded: octets.count),
                    ]
                    // `attStmt` is no map, and `authData` the least that there is.
                    let rest = Array("gattStmt\u{60}hauthData".utf8) + [0x58, 0x25] + [UInt8](repeating: 0, count: 37)
                    _ = try AttestationObject(head + octets + rest)
                },
                TextReader("answer of an authenticator", 16 << 10) { text in
                    _ = try? RegistrationResponse(parsing: Array(text.utf8))
                    _ = try AuthenticationResponse(parsing: Array(text.utf8))
                },
                TextReader("answer's members", 4096) { text in
                    let octets = JSONValue.string(Base64URL.encode(Array(text.utf8)))
                    // By octets: to find a comma among characters compares each of them, which is not what is counted.
                    let parts = text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
                    for response: JSONObject in [
                        ["clientDataJSON": octets, "attestationObject": octets],
                        ["transports": .array(parts.map { .string($0) })],
                        ["clientDataJSON": .string(text)],
                    ] {
                        let answer: JSONObject = [
                            "id": octets, "rawId": octets, "type": "public-key", "response": .object(response),
                        ]
                        _ = try? RegistrationResponse(answer)
                        _ = try? AuthenticationResponse(answer)
                    }
                },
                TextReader("attestation", 16 << 10) { text in
                    _ = try? AttestationObject(Array(text.utf8))
                    _ = try AuthenticatorData(Array(text.utf8))
                },
            ]
        }
    }
#endif
