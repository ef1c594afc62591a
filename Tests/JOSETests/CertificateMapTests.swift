// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct CertificateMapTests {
    private struct Case {
        var name: String
        var certificate: String
        var usable: Bool
        var tokens: [String]
    }

    private static func cases() throws -> [Case] {
        try #require(try VectorFiles.object("certificates/certificates.json")["certificates"]?.arrayValue)
            .compactMap(\.objectValue).map {
                Case(
                    name: $0.string("name"), certificate: $0.string("certificate"),
                    usable: $0["usable"] == true,
                    tokens: ($0["tokens"]?.arrayValue ?? []).compactMap(\.stringValue))
            }
    }

    private func parse(_ map: JSONObject) throws -> CertificateMap { try CertificateMap(parsing: map.serialized()) }

    @Test("Of a published map each fit key verifies its issuer's tokens, and weak or unknown ones are left out")
    func published() throws {
        let cases = try Self.cases()
        var map: JSONObject = [:]
        for each in cases { map[each.name] = .string(each.certificate) }
        let keys = try parse(map).keys
        #expect(keys.compactMap(\.keyID) == cases.filter(\.usable).map(\.name))
        let set = try VerificationKeySet(keys)
        var checked = 0
        for token in cases.flatMap(\.tokens) {
            let parsed = try ParsedJWS(parsing: token.utf8)
            let key = try set.key(for: parsed.header)
            try parsed.verify(with: key)
            let altered = try ParsedJWS(parsing: Self.withOtherPayload(token).utf8)
            #expect(throws: JOSEError(.signatureInvalid)) { try altered.verify(with: key) }
            checked += 1
        }
        #expect(checked == 7)
    }

    private static func withOtherPayload(_ token: String) -> String {
        let parts = token.split(separator: ".")
        return "\(parts[0]).e30.\(parts[2])"
    }

    @Test("A map of unfit keys alone is refused")
    func unfit() throws {
        for each in try Self.cases() {
            let map: JSONObject = ["k": .string(each.certificate)]
            #expect(
                refusal { () throws(JOSEError) in _ = try CertificateMap(parsing: map.serialized()) }
                    == (each.usable ? nil : .keySetInvalid), "\(each.name)")
        }
    }

    @Test("Blank lines and either line ending are read; text beside the certificate is not")
    func text() throws {
        let certificate = try #require(try Self.cases().first).certificate
        for good in [
            certificate, String(certificate.dropLast()), certificate + "\n\n",
            certificate.split(separator: "\n").joined(separator: "\r\n"),
        ] { #expect(try parse(["k": .string(good)]).keys.count == 1) }
        let body = certificate.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
        for bad in [
            "", "\n", body, "x\n" + certificate, certificate + "x", certificate + certificate,
            certificate.split(separator: "\n").joined(), certificate.replacing("CERTIFICATE", with: "PUBLIC KEY"),
            certificate.replacing("\n", with: " \n"), "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----", certificate.replacing("MII", with: "MI"),
        ] { #expect(throws: JOSEError(.keySetInvalid), "\(bad)") { try parse(["k": .string(bad)]) } }
    }

    @Test(
        "Garbage is refused",
        arguments: ["", "{}", "[]", "null", #"{"a":1}"#, #"{"a":{"b":"c"}}"#, #"{"error":"not found"}"#, "<html>"])
    func garbage(text: String) {
        #expect(throws: JOSEError(.keySetInvalid)) { try CertificateMap(parsing: text.utf8) }
    }

    @Test("Two certificates of one kid, more than 256, or more than 512 KiB are refused")
    func size() throws {
        let certificate = JSONValue.string(try #require(try Self.cases().first { $0.name == "ed25519" }).certificate)
        let twice = #"{"a":\#(certificate.text),"a":\#(certificate.text)}"#
        #expect(throws: JOSEError(.keySetInvalid)) { try CertificateMap(parsing: twice.utf8) }
        var many: JSONObject = [:]
        for number in 0..<256 { many["k\(number)"] = certificate }
        #expect(try parse(many).keys.count == 256)
        many["one more"] = certificate
        #expect(throws: JOSEError(.keySetInvalid)) { try parse(many) }
        let blank = [UInt8](repeating: 0x20, count: 512 << 10)
        let usual: JSONObject = ["a": certificate]
        #expect(throws: JOSEError(.keySetInvalid)) { try CertificateMap(parsing: blank + usual.serialized()) }
    }

    @Test("A certificate cut short or with a byte changed is read or refused, and ends nothing")
    func damaged() throws {
        for each in try Self.cases() {
            let lines = each.certificate.split(separator: "\n")
            let der = try #require(Base64.decode(lines.dropFirst().dropLast().joined()))
            func outcome(_ der: [UInt8]) throws -> Bool {
                let text = "\(lines[0])\n\(Base64.encode(der))\n\(lines[lines.count - 1])"
                return (try? parse(["k": .string(text)])) != nil
            }
            #expect(try outcome(der) == each.usable)
            for count in stride(from: 0, to: der.count, by: 7) { #expect(try !outcome(Array(der.prefix(count)))) }
            #expect(try !outcome(der + [0]))
            for index in stride(from: 0, to: der.count, by: 3) {
                var changed = der
                changed[index] ^= UInt8(1 << (index % 8))
                _ = try outcome(changed)
            }
        }
    }
}
