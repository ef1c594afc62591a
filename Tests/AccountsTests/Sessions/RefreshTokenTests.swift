// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

@Suite struct RefreshTokenTests {
    private let key = Secret([UInt8](repeating: 7, count: 32))
    private let token: RefreshToken
    private let text: String

    init() {
        let random = SeededRandom(seed: 1)
        token = RefreshToken(session: SessionID(random.uuid()), generation: 0x0102_0304, secret: random.bytes(24))
        text = token.encoded(under: key)
    }

    @Test("G-5 a token is 76 characters that are safe in a URL")
    func form() {
        #expect(text.utf8.count == 76)
        #expect(text.utf8.allSatisfy { Base64URL.decode([$0, $0, UInt8(ascii: "A"), UInt8(ascii: "A")]) != nil })
        #expect(Base64URL.decode(text)?.count == 57)
    }

    @Test("G-5 a token read back is the one that was written")
    func roundTrip() throws {
        let read = try #require(RefreshToken(text, under: key))
        #expect(read.session == token.session)
        #expect(read.generation == token.generation)
        #expect(read.secret == token.secret)
        #expect(read.hash == token.hash)
        #expect(read.encoded(under: key) == text)
    }

    @Test("G-5 a Directory's tokens are those of its key, also of one that was changed")
    func directory() throws {
        var directory = Directory(
            id: DirectoryID("d"), name: "d", settings: DirectorySettings(), tokenKey: Secret([1]),
            createdAt: Instant(seconds: 1), updatedAt: Instant(seconds: 1))
        #expect(RefreshToken(text, in: directory) == nil)
        directory.tokenKey = key
        for dialect in [nil, DialectName("one")] {
            let text = token.encoded(in: directory, for: dialect)
            #expect(text == token.encoded(under: key, for: dialect))
            #expect(RefreshToken(text, in: directory, for: dialect)?.secret == token.secret)
            #expect(RefreshToken(text, under: key, for: dialect)?.secret == token.secret)
            #expect(RefreshToken(text, in: directory, for: DialectName("another")) == nil)
        }
    }

    @Test("G-5 the largest generation is written and read too")
    func largestGeneration() {
        let last = RefreshToken(session: token.session, generation: .max, secret: token.secret)
        #expect(RefreshToken(last.encoded(under: key), under: key)?.generation == .max)
    }

    @Test("R64 a token changed in any one of its 57 bytes is refused", arguments: 0..<57)
    func tampered(position: Int) throws {
        let bytes = try #require(Base64URL.decode(text))
        for bit in 0..<8 {
            var changed = bytes
            changed[position] ^= 1 << UInt8(bit)
            #expect(RefreshToken(Base64URL.encode(changed), under: key) == nil, "bit \(bit)")
        }
    }

    @Test("R64 no prefix, no suffix and no longer form of a token is one")
    func cut() {
        for length in 0..<76 {
            #expect(RefreshToken(String(text.prefix(length)), under: key) == nil)
            #expect(RefreshToken(String(text.suffix(length)), under: key) == nil)
        }
        for other in [text + "A", text + "=", "A" + text, " " + text, text + "\n", text + "\0", text + text] {
            #expect(RefreshToken(other, under: key) == nil)
        }
    }

    @Test("R64 a token in another case, another alphabet or other letters of the same look is refused")
    func spelled() {
        // Full-width forms: as many characters, though not as many bytes.
        let wide = String(String.UnicodeScalarView(text.unicodeScalars.map { Unicode.Scalar($0.value + 0xFEE0) ?? $0 }))
        let swapped = String(text.map { $0.isUppercase ? Character($0.lowercased()) : Character($0.uppercased()) })
        for other in [text.uppercased(), text.lowercased(), swapped, wide] {
            #expect(RefreshToken(other, under: key) == nil)
        }
        for (index, digit) in zip(text.indices, text) where digit == "-" || digit == "_" {
            var other = text
            other.replaceSubrange(index...index, with: digit == "-" ? "+" : "/")
            #expect(RefreshToken(other, under: key) == nil)
        }
    }

    @Test("V8.4.1 a token of another Directory is refused")
    func otherDirectory() {
        for bit in 0..<8 {
            var other = key.reveal()
            other[bit * 4] ^= 1 << UInt8(bit)
            #expect(RefreshToken(text, under: Secret(other)) == nil)
        }
    }

    @Test("G-5 what the store keeps is bound to the session, the generation and the secret")
    func hash() {
        let random = SeededRandom(seed: 2)
        let others = [
            RefreshToken(session: SessionID(random.uuid()), generation: token.generation, secret: token.secret),
            RefreshToken(session: token.session, generation: token.generation + 1, secret: token.secret),
            RefreshToken(session: token.session, generation: token.generation, secret: random.bytes(24)),
        ]
        for other in others { #expect(other.hash != token.hash) }
        #expect(token.hash.count == 32)
        #expect(!text.contains(Base64URL.encode(token.hash).prefix(20)))
    }

    @Test("V16.2.5 neither print nor dump shows a token")
    func hidden() {
        var dumped = ""
        dump(token, to: &dumped)
        for shown in ["\(token)", String(reflecting: token), String(describing: Optional(token)), dumped] {
            #expect(!shown.contains(token.session.rawValue))
            #expect(!shown.contains(text))
        }
        #expect("\(token)" == "[redacted]")
    }

    @Test("R8.15 the token of one dialect is none in another")
    func dialects() {
        let names = [nil, DialectName("alpha"), DialectName("beta"), DialectName("alphabet")]
        for name in names {
            let text = token.encoded(under: key, for: name)
            for other in names {
                #expect(
                    (RefreshToken(text, under: key, for: other) != nil) == (other == name),
                    "\(name?.rawValue ?? "") in \(other?.rawValue ?? "")")
            }
        }
    }
}
