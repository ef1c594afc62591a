// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Factors

@Suite("Codes of authenticator apps")
struct TOTPTests {
    private static let secrets: [TOTP.Algorithm: String] = [
        .sha1: "12345678901234567890", .sha256: "12345678901234567890123456789012",
        .sha512: "1234567890123456789012345678901234567890123456789012345678901234",
    ]

    private static func secret(_ algorithm: TOTP.Algorithm) -> Secret<[UInt8]> {
        Secret(Array((secrets[algorithm] ?? "").utf8))
    }

    @Test(
        "G-9.1 the vectors of RFC 6238, appendix B",
        arguments: [
            (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
            (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
            (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
        ] as [(Int64, String, String, String)])
    func vectors(_ seconds: Int64, _ sha1: String, _ sha256: String, _ sha512: String) {
        for (algorithm, wanted) in [(TOTP.Algorithm.sha1, sha1), (.sha256, sha256), (.sha512, sha512)] {
            let totp = TOTP(algorithm: algorithm, digits: 8)
            let step = totp.step(at: Instant(seconds: seconds))
            #expect(totp.code(at: step, of: Self.secret(algorithm)) == wanted)
        }
    }

    @Test("G-9.1 a code is taken one step early and one late, and says which step it is of; no further")
    func drift() {
        let (totp, secret) = (TOTP(), Self.secret(.sha1))
        let now = Instant(seconds: 1_234_567_890)
        let present = totp.step(at: now)
        for offset in Int64(-3)...3 {
            let found = totp.step(of: totp.code(at: present + offset, of: secret), secret: secret, at: now, drift: 1)
            #expect(found == (abs(offset) <= 1 ? present + offset : nil), "\(offset)")
        }
    }

    @Test("G-9.1 the end of a step is the beginning of the next")
    func end() {
        let totp = TOTP()
        #expect(totp.step(at: totp.end(of: 7)) == 8)
        #expect(totp.step(at: totp.end(of: 7) - .milliseconds(1)) == 7)
        #expect(totp.step(at: Instant(seconds: -1)) == -1)
        #expect(totp.end(of: .max) == Instant(microseconds: .max))
    }

    @Test(
        "R14.2 what is no code of six ASCII digits is none, whatever it looks like",
        arguments: [
            "", "12345", "1234567", "１２３４５６", "٠١٢٣٤٥", "12345a", "-12345", "123456\u{0}", "123\n456",
            String(repeating: "1", count: 100_000),
        ])
    func malformed(_ text: String) {
        // A secret and a time whose code is 123456 are not needed: each of these would be read as some number.
        let (totp, secret) = (TOTP(), Self.secret(.sha1))
        for seconds in stride(from: Int64(0), to: 3000, by: 30) {
            #expect(totp.step(of: text, secret: secret, at: Instant(seconds: seconds), drift: 1) == nil)
        }
    }

    @Test("G-9.1 a code may be typed in two groups, as apps show it")
    func groups() {
        let (totp, secret) = (TOTP(), Self.secret(.sha1))
        let now = Instant(seconds: 59)
        let code = totp.code(at: 1, of: secret)
        #expect(totp.step(of: code.prefix(3) + " " + code.suffix(3), secret: secret, at: now, drift: 1) == 1)
    }

    @Test("G-9.1 the URI that apps take over names issuer and account, and neither can end its part of it")
    func uri() {
        let secret = Self.secret(.sha1)
        let plain = TOTP().uri(secret: secret, issuer: "Yoga Studio", account: "ann@example.com").reveal()
        #expect(
            plain == "otpauth://totp/Yoga%20Studio:ann%40example.com?algorithm=SHA1&digits=6&issuer=Yoga%20Studio"
                + "&period=30&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        let hostile = TOTP().uri(secret: secret, issuer: "a:b?secret=x&#\n", account: "c:d/é%00").reveal()
        #expect(hostile.hasPrefix("otpauth://totp/a%20b%3Fsecret%3Dx%26%23%20:c%20d%2F%C3%A9%2500?"))
        #expect(hostile.split(separator: "secret=").count == 2)
        let long = TOTP().uri(
            secret: secret, issuer: String(repeating: "ü", count: 9999), account: String(repeating: "🧘", count: 9999))
        #expect(long.reveal().utf8.count < 2000)
    }

    @Test(
        "G-9.1 Base32 is that of RFC 4648, section 10, and reads what people type",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(_ octets: String, _ text: String) {
        #expect(Base32.encode(Array(octets.utf8)) == text)
        #expect(Base32.decode(text) == Array(octets.utf8))
        #expect(Base32.decode(text.lowercased() + "==") == Array(octets.utf8))
        #expect(Base32.decode(text.map { "\($0) " }.joined()) == Array(octets.utf8))
    }

    @Test("G-9.1 what is no Base32 is refused", arguments: ["A", "MZ1", "MZX0", "M=Z", "MZ", "MZXW6Y", "ＭＺ"])
    func noBase32(_ text: String) { #expect(Base32.decode(text) == nil) }
}
