// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Testing

@Suite("Redaction") struct RedactionTests {
    private let redaction = Redaction(key: Secret([1, 2, 3]), sessionID: "session-1")
    private let kept = Redaction(key: Secret([1, 2, 3]), sessionID: "session-1", keepsPersonalData: true)

    @Test(
        "G-11.6 R13.7 An address becomes its keyed hash, the same in any case and in any text; by setting a plain one")
    func addresses() {
        let digest = redaction.digest(of: "ann@a.test")
        #expect(digest.utf8.count == 64 && redaction.redacting("Mail to <Ann@A.test>.") == "Mail to <\(digest)>.")
        #expect(redaction.redacting(["email": "ann@a.test"]) == ["email": .string(digest)])
        #expect(Redaction(key: Secret([9]), sessionID: "").digest(of: "ann@a.test") != digest)
        // SHA-256 of "ann@a.test": what anybody can compute.
        let plain = Redaction(key: Secret([1]), digest: .plain, sessionID: "")
        #expect(
            plain.digest(of: "Ann@a.test")
                == Redaction(key: Secret([2]), digest: .plain, sessionID: "").digest(of: "ann@a.test"))
        #expect(!redaction.redacting("müller@höhe.test x@y").contains("@"))
    }

    @Test(
        "G-11.6 An IP address is cut to /24, or /48 of IPv6",
        arguments: [
            ("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
            ("2001:db8::1", "2001:db8:0::/48"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"), ("::1", "0:0:0::/48"), ("fe80::", "fe80:0:0::/48"),
        ])
    func addresses(_ address: String, _ network: String) {
        #expect(redaction.redacting(["ip": .string(address)]) == ["ip": .string(network)])
        #expect(redaction.redacting("from \(address), twice") == "from \(network), twice")
        #expect(kept.redacting(address) == address)
    }

    @Test("What is no address is not taken for one")
    func plainWords() {
        for text in [
            "1.2.3", "1.2.3.4.5", ":", "7:", ":7", #"{"a":"b"}"#, "256.1.1.1", "12:30", "1:2:3", "a::b::c",
            "version 1.2.3", "Something went wrong.",
            "auth.sign_in",
        ] {
            #expect(redaction.redacting(text) == text)
        }
    }

    @Test("G-11.7 R13.7 Passwords and tokens never leave, whatever the user agreed to, wherever they stand")
    func secrets() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"
        let object: JSONObject = [
            "password": "p", "newPassword": ["a", "b"], "access_token": .string(token), "X-Api-Key": "k",
            "refreshToken": 7,
            "nested": ["list": [["client_secret": "s", "Authorization": "Bearer x"]]],
            "url": .string("https://a.test/?t=\(token)"),
            "note": .string("got \(token), then 482913"), "token_hash": "h", "cookies": ["a": "b"],
        ]
        for redaction in [redaction, kept] {
            let result = redaction.redacting(object)
            for name in [
                "password", "newPassword", "access_token", "X-Api-Key", "refreshToken", "token_hash", "cookies",
            ] {
                #expect(result[name] == "[REDACTED]", "\(name)")
            }
            let text = result.text
            #expect(!text.contains("eyJ") && !text.contains("482913") && !text.contains("Bearer"))
            #expect(text.contains(#"{"client_secret":"[REDACTED]","Authorization":"[REDACTED]"}"#))
        }
    }

    @Test(
        "G-11.7 R13.7 What a text itself calls a secret never leaves, however short or long it is",
        arguments: [
            "password=hunter2", "password: hunter2", "password:hunter2", "newPassword = 'my hunter2 dog'",
            #"{"password":"my hunter2 dog","a":1}"#, "Authorization: Bearer hunter2", "authorization: Basic hunter2",
            "token=hunter2&next=/", "client_secret \"hunter2\": token=\"hunter2\"",
        ])
    func named(text: String) {
        for redaction in [redaction, kept] {
            let result = redaction.redacting(text)
            #expect(!result.replacing("client_secret \"hunter2\"", with: "").contains("hunter2"), "\(result)")
            #expect(!result.contains("dog") && result.contains("[REDACTED]"))
        }
    }

    @Test(
        "G-11.6 Addresses of networks and of mail are found beside ports, names and escapes, and telephones' numbers too",
        arguments: [
            ("connect 203.0.113.77:443 failed", "connect 203.0.113.0/24:443 failed"),
            ("addr:203.0.113.77", "addr:203.0.113.0/24"), ("addr:2001:db8:1::7", "addr:2001:db8:1::/48"),
            ("fe80::1%eth0", "[REDACTED]"), ("ann%40a.test", "[REDACTED]"), ("+491701234567", "[REDACTED]"),
            ("170-123-4567", "[REDACTED]"), ("0170-123-4567", "[REDACTED]"), ("on 2026-11-22", "on 2026-11-22"),
            ("at 19:07:23", "at 19:07:23"), ("error: 5 of 7: stopped", "error: 5 of 7: stopped"),
        ])
    func hidden(text: String, result: String) {
        #expect(redaction.redacting(text) == result)
        #expect(kept.redacting(text) == text)
    }

    @Test("R13.7 A text of nothing but separators and colons costs no more than its length, and no stack")
    func long() {
        for text in [String(repeating: "a:", count: 200_000), String(repeating: ":", count: 200_000)] {
            #expect(redaction.redacting(text).utf8.count > 0)
        }
    }

    @Test(
        "G-11.6 G-11.7 A device's identifier becomes the session's; names go; both stay with consent to personal data")
    func personal() {
        let object: JSONObject = [
            "device_id": "d-1", "deviceIdentifier": "d-1", "name": "Ann", "provider": "google", "count": 3,
        ]
        #expect(
            redaction.redacting(object) == [
                "device_id": "session-1", "deviceIdentifier": "session-1", "name": "[REDACTED]", "provider": "google",
                "count": 3,
            ])
        #expect(kept.redacting(object) == object && kept.redacting("ann@a.test") == "ann@a.test")
    }

    @Test("The key of an installation is made once")
    func installation() async {
        let store = MemoryStore()
        let first = await InstallationKey.load(from: store, random: SystemRandomSource())
        let second = await InstallationKey.load(from: store, random: SystemRandomSource())
        #expect(first.reveal().count == 32 && first.reveal() == second.reveal())
    }

    @Test("G-11.7 R13.7 A code that was sent or written down never leaves, an error's does")
    func codes() {
        let redaction = Redaction(key: Secret([1]), sessionID: "s", keepsPersonalData: true)
        for code in ["K7Q2MZ", "abcd-efgh", "1a2b3c", "4839"] {
            for name in ["code", "backupCode", "recovery_code"] {
                let sent = redaction.redacting([name: .string(code)])
                #expect(sent.members.allSatisfy { $0.value == "[REDACTED]" }, "\(name) \(code)")
            }
        }
        for (name, value) in [
            ("code", "invalid_credentials"), ("error_code", "otp_expired"), ("countryCode", "DE"), ("code", "404"),
        ] { #expect(redaction.redacting([name: .string(value)])[name] == .string(value)) }
        #expect(redaction.redacting(["status_code": 404])["status_code"] == 404)
    }

    @Test("G-11.7 A code or a telephone number is redacted as a number too; a count is left")
    func numbers() {
        let redaction = Redaction(key: Secret([1, 2, 3]), sessionID: "s")
        let object: JSONObject = [
            "value": 123_456, "caller": 491_701_234_567, "sum": .number(4_917_012_345.0), "count": 42,
            "share": .number(0.5),
        ]
        let shown = redaction.redacting(object)
        for name in ["value", "caller", "sum"] { #expect(shown[name] == .string(Redaction.redacted)) }
        #expect(shown["count"] == 42 && shown["share"] == .number(0.5))
    }
}
