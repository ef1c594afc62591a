// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import Testing

@testable import IdentityProviders

@Suite("Whoever gives credentials") struct TokenServiceTests {
    private static let endpoint = "https://sts.example/"
    private static let now = Instant(seconds: 1_780_000_000)
    private static let request = TemporaryCredentialRequest(
        role: "arn:aws:iam::1:role/a b", sessionName: "s", token: Secret("a.b.c"), lifetime: .hours(1))
    private static let granted = """
        <?xml version="1.0"?><AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey>
        <SessionToken>T</SessionToken><Expiration>2026-06-01T00:00:00Z</Expiration></Credentials>
        </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>
        """

    private static func ask(_ network: ScriptedNetwork) async throws -> TemporaryCredentials {
        try await SecurityTokenService(endpoint: endpoint, client: network, logger: Logger(label: "test")).credentials(
            for: request, now: now)
    }

    @Test("R12.7 it is asked once, by a form without a signature, and its answer's four parts are taken")
    func granting() async throws {
        let network = ScriptedNetwork()
        network.answer(Self.endpoint, type: "text/xml", text: Self.granted)
        let credentials = try await Self.ask(network)
        #expect(credentials.keyID == "A" && credentials.secret.reveal() == "S")
        #expect(credentials.sessionToken.reveal() == "T")
        #expect(credentials.expiresAt == Instant(rfc3339: "2026-06-01T00:00:00Z"))
        let call = try #require(network.calls.first)
        #expect(network.calls.count == 1 && call.field("Authorization") == nil)
        #expect(
            call.form == [
                "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": "arn:aws:iam::1:role/a b",
                "RoleSessionName": "s", "WebIdentityToken": "a.b.c", "DurationSeconds": "3600",
            ])
    }

    @Test(
        "R12.7 what is no answer is none, and what it refuses is told from what it fails at",
        arguments: [
            (200, "", .unavailable), (200, "{}", .unavailable), (200, "<a/>", .unavailable), (200, "<a>", .unavailable),
            (302, granted, .unavailable), (500, granted, .unavailable),
            (200, granted.replacing("2026-06", with: "2026-05"), .unavailable),
            (200, granted.replacing(">A<", with: "><"), .unavailable),
            (200, granted.replacing("AccessKeyId", with: "x"), .unavailable),
            (200, "<!DOCTYPE a>" + granted, .unavailable),
            (403, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>", .refused),
            (400, "<ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>", .unavailable),
            (503, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>", .unavailable),
        ] as [(Int, String, TemporaryCredentialFailure)])
    func refusing(_ status: Int, _ text: String, _ failure: TemporaryCredentialFailure) async throws {
        let network = ScriptedNetwork()
        network.answer(Self.endpoint, status: status, type: "text/xml", text: text)
        await #expect(throws: failure) { try await Self.ask(network) }
    }

    @Test(
        "R12.7 one that hangs or is not there is unavailable",
        arguments: [OutwardFailure.timedOut, .unreachable, .busy])
    func unreachable(_ failure: OutwardFailure) async throws {
        let network = ScriptedNetwork()
        network.fail(Self.endpoint, failure)
        await #expect(throws: TemporaryCredentialFailure.unavailable) { try await Self.ask(network) }
    }

    @Test(
        "R12.7 its place is https, or this machine",
        arguments: [
            ("https://sts.example", true), ("http://127.0.0.1:9000/", true), ("http://sts.example/", false),
            ("sts", false),
            ("", false), ("https://sts.example/?a=b", false),
        ])
    func places(_ endpoint: String, _ isGood: Bool) {
        #expect(((try? SecurityTokenService(endpoint: endpoint)) != nil) == isGood)
    }
}

@Suite("XML of programs") struct PlainXMLTests {
    @Test("R12.7 the text of an element is found by the names that lead to it, with its references resolved")
    func texts() throws {
        let document = try #require(
            PlainXML(
                Array(
                    "\u{FEFF}<?xml version='1.0'?><!-- <x> --><a b='<' c=\"/>\"><d>1 &lt;&amp;&#65;&#x42;</d><e/><f><g>é</g></f><d>2</d></a>\n"
                        .utf8)))
        #expect(document.text(at: ["a", "d"]) == "1 <&AB", "the first")
        #expect(document.text(at: ["a", "f", "g"]) == "é")
        #expect(document.text(at: ["a", "f"]) == nil, "it holds more than text")
        #expect(document.text(at: ["a"]) == nil && document.text(at: ["d"]) == nil)
    }

    @Test(
        "R12.7 what is not well-formed, declares anything, or is deeper than answers are is no document",
        arguments: [
            "", " ", "a", "<a>", "</a>", "<a></b>", "<a></a><b></b>", "<a></a>b", "<a>&b;</a>", "<a>&#xD800;</a>",
            "<a>&#99999999999;</a>", "<a>&lt</a>", "<!DOCTYPE a><a></a>", "<![CDATA[a]]>", "<a b='c></a>", "<a", "<",
            "<>",
            "<a><</a>", String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
            "<a>" + String(repeating: "<b/>", count: 1024) + "</a>",
        ])
    func malformed(_ text: String) { #expect(PlainXML(Array(text.utf8)) == nil) }

    @Test("R12.7 octets that are no UTF-8 are no document")
    func octets() { #expect(PlainXML(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil) }
}
