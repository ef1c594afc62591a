// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("Imported hashes")
struct ImportedHashTests {
    /// Of "U*U", from the vectors.
    private static let encoded = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"

    @Test("A password with a zero octet never matches the hash of what stands before it")
    func zeroOctet() throws {
        let encoded = Self.encoded
        #expect(Bcrypt.verify(Array("U*U".utf8), encoded))
        #expect(!Bcrypt.verify(Array("U*U\0".utf8), encoded))
        #expect(!Bcrypt.verify(Array("U*U\0more".utf8), encoded))
        #expect(!Bcrypt.verify([0], encoded))
        // What is hashed in its place, so that the answer takes as long, does not match either.
        let decoy = "$2b$04$abcdefghijklmnopqrstuuPp7HPfoAs8I2dCQCQ/fW7zEJv8I8C8e"
        #expect(Bcrypt.verify(Array("x".utf8), decoy))
        #expect(!Bcrypt.verify(Array("x\0".utf8), decoy))
        #expect(!Bcrypt.verify([0], decoy))
    }

    @Test("The salt's last character may hold bits that don't count, as other makers of hashes leave them")
    func looseSaltBits() throws {
        // "." is 0 and "/" is 1: the low four bits of the 22nd character are not part of the salt.
        let encoded = Self.encoded.replacing("CCCC.E5", with: "CCCC/E5")
        #expect(Bcrypt.verify(Array("U*U".utf8), encoded))
        #expect(!Bcrypt.verify(Array("U*V".utf8), encoded))
    }

    @Test("Octets beyond the 72nd don't count, however many there are", arguments: [72, 73, 511, 512, 5000])
    func beyondTheEnd(_ length: Int) {
        let encoded = "$2a$05$/OK.fbVrR/bpIqNJ5ianF.swQOIzjOiJ9GHEPuhEkvqrUyvWhEMx6"
        #expect(Bcrypt.verify([UInt8](repeating: 0xAA, count: length), encoded))
        #expect(!Bcrypt.verify([UInt8](repeating: 0xAA, count: 71), encoded))
        #expect(!Bcrypt.verify([UInt8](repeating: 0xAB, count: length), encoded))
    }

    @Test("An imported hash is compared with the password as it was typed, unnormalized")
    func asTyped() throws {
        let decomposed = "e\u{301}", composed = "\u{e9}"
        let salt = [UInt8](repeating: 7, count: 16)
        let cost = try #require(ScryptParameters(logN: 4, blockSize: 1, parallelism: 1))
        let key = try #require(cost.tag(of: Array(decomposed.utf8), salt: salt, length: 32))
        let tag = Base64.encodeUnpadded(key)
        let scrypt = try PasswordHash("$scrypt$ln=4,r=1,p=1$\(Base64.encodeUnpadded(salt))$\(tag)")
        #expect(scrypt.matches(Secret(decomposed)) == true)
        #expect(scrypt.matches(Secret(composed)) == false)
    }
}
