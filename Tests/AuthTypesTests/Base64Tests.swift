// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    static let examples = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("RFC 4648's examples, padded and unpadded", arguments: examples)
    func rfc4648(plain: String, encoded: String) {
        let bytes = Array(plain.utf8)
        let unpadded = String(encoded.prefix { $0 != "=" })
        #expect(Base64.encode(bytes) == encoded)
        #expect(Base64.decode(encoded) == bytes)
        #expect(Base64.encodeUnpadded(bytes) == unpadded)
        #expect(Base64.decodeUnpadded(unpadded) == bytes)
        #expect(Base64URL.encode(bytes) == unpadded)
        #expect(Base64URL.decode(unpadded) == bytes)
        if encoded != unpadded {
            #expect(Base64.decode(unpadded) == nil)
            #expect(Base64.decodeUnpadded(encoded) == nil)
            #expect(Base64URL.decode(encoded) == nil)
        }
    }

    @Test("Every byte at every position reads back")
    func roundTrip() {
        for length in 0...9 {
            for byte in UInt8.min...UInt8.max {
                let bytes = (0..<length).map { byte &+ UInt8($0) &* 37 }
                #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
                #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            }
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
    }

    @Test("Each value has one spelling: stray bits, foreign characters and odd lengths are refused")
    func strictness() {
        for text in [
            "A", "AAAAA", "Zh", "Zm9", "Zm8=", "Zg==", "Zm9v\n", " Zm9v", "Zm9v ", "Zm+v", "Zm/v", "Zm.v", "Zm9vé",
            "Zm\09v", "=", "====",
        ] { #expect(Base64URL.decode(text) == nil, "\(text)") }
        for text in ["Zh==", "Zm9=", "Zg=", "Z===", "====", "Zm-v", "Zm_v", "Zg==Zg==", "Zg\n==", "=Zg="] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }

    @Test("Of all two-digit texts exactly the 256 canonical ones are read")
    func exhaustive() {
        var read = 0
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max where Base64URL.decode([first, second]) != nil { read += 1 }
        }
        #expect(read == 256)
    }
}
