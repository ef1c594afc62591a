// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

/// `accounts:createAuthUri` with a provider, and what comes back from there.
@Suite struct ProviderRedirectTests {
    private static let target = "https://app.example/handler"

    private func begin(_ bench: FirebaseBench, _ more: JSONObject = [:]) async throws -> FirebaseBench.Reply {
        var body: JSONObject = ["providerId": "google.com", "continueUri": .string(Self.target)]
        for member in more.members { body[member.name] = member.value }
        return try await bench.call("createAuthUri", body)
    }

    private func finish(
        _ bench: FirebaseBench, _ query: String, session: JSONValue?, _ more: JSONObject = [:]
    ) async throws -> FirebaseBench.Reply {
        var body: JSONObject = ["requestUri": .string(Self.target + "?" + query), "returnSecureToken": true]
        body["sessionId"] = session
        for member in more.members { body[member.name] = member.value }
        return try await bench.call("signInWithIdp", body)
    }

    private func state(_ reply: FirebaseBench.Reply) throws -> String {
        try #require(FirebaseBench.parameter("state", of: reply["authUri"]?.stringValue), "\(reply.text)")
    }

    @Test(
        "R12.5 a browser is sent to the provider, and who it comes back as is signed in with the same session identifier"
    )
    func redirect() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let begun = try await begin(
            bench,
            [
                "context": "where I was", "oauthScope": "calendar drive", "identifier": "ada@example.com",
                "customParameter": ["prompt": "consent", "access_type": "offline"],
            ])
        #expect(begun["providerId"] == "google.com" && begun["kind"] == "identitytoolkit#CreateAuthUriResponse")
        let sent = try #require(bench.providers.requests.last)
        #expect(sent.redirectURI == Self.target && sent.scopes == ["calendar", "drive"] && sent.prompt == "consent")
        #expect(sent.loginHint == "ada@example.com" && sent.extra == ["access_type": "offline"])
        try bench.vouch("code")
        let reply = try await finish(bench, "code=code&state=\(try state(begun))", session: begun["sessionId"])
        #expect(reply["isNewUser"] == true && reply["context"] == "where I was", "\(reply.text)")
        #expect(reply["idToken"] != nil && reply["providerId"] == "google.com")
        // As Apple sends it: posted.
        let own = try await begin(bench, ["sessionId": "mine"])
        #expect(own["sessionId"] == "mine")
        try bench.vouch("next")
        let posted = try await bench.call(
            "signInWithIdp",
            [
                "requestUri": .string(Self.target), "sessionId": "mine",
                "postBody": .string("state=\(try state(own))&code=next"),
            ])
        #expect(posted["localId"] == reply["localId"], "\(posted.text)")
    }

    @Test("R12.5 R12.2 an answer is good once, with its own session, in its own project, and for ten minutes")
    func misused() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        try bench.vouch("code")
        let begun = try await begin(bench)
        let other = try await begin(bench)
        let query = "code=code&state=\(try state(begun))"
        for session in [other["sessionId"], nil, "", "guess"] {
            let reply = try await finish(bench, query, session: session)
            #expect(reply.status == 400 && reply.code == "INVALID_IDP_RESPONSE", "\(reply.text)")
        }
        #expect(try await finish(bench, query + "&error=x", session: begun["sessionId"]).status == 400)
        // Whatever came of it, it is spent.
        #expect(try await finish(bench, query, session: begun["sessionId"]).code == "INVALID_IDP_RESPONSE")
        let late = try await begin(bench)
        bench.advance(.minutes(11))
        let reply = try await finish(bench, "code=code&state=\(try state(late))", session: late["sessionId"])
        #expect(reply.code == "INVALID_IDP_RESPONSE", "\(reply.text)")
    }

    @Test("R12.5 a user who says no, a code that is none and a provider that is down are told apart")
    func refusals() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        bench.providers.refuse("down", with: .identityProviderUnavailable)
        for (query, code, status) in [
            ("error=access_denied", "USER_CANCELLED", 400),
            ("code=down", "The identity provider is currently unavailable.", 503),
            ("", "INVALID_IDP_RESPONSE", 400),
        ] {
            let begun = try await begin(bench)
            let reply = try await finish(bench, "\(query)&state=\(try state(begun))", session: begun["sessionId"])
            #expect(reply.status == status && reply.code == code, "\(query): \(reply.text)")
        }
    }

    @Test(
        "R12.5 what is wrong with a request for an address is named, and nobody is sent to a place that is not the app's"
    )
    func badRequests() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let long = JSONValue.string(String(repeating: "x", count: 3000))
        for (code, more) in [
            ("OPERATION_NOT_ALLOWED", ["providerId": "facebook.com"]),
            ("OPERATION_NOT_ALLOWED", ["providerId": "../google"]),
            ("MISSING_CONTINUE_URI", ["continueUri": ""]), ("INVALID_CONTINUE_URI", ["continueUri": "/handler"]),
            ("INVALID_CONTINUE_URI", ["continueUri": "https://app.example/#x"]),
            ("INVALID_CONTINUE_URI", ["continueUri": "https://app.example/?state=1"]),
            ("UNAUTHORIZED_DOMAIN", ["continueUri": "https://evil.example/handler"]),
            ("Request contains an invalid argument.", ["customParameter": ["redirect_uri": "https://evil.example"]]),
            ("Request contains an invalid argument.", ["customParameter": ["hd": 1]]),
            ("Request contains an invalid argument.", ["context": long]),
            ("Request contains an invalid argument.", ["sessionId": long]),
        ] as [(String, JSONObject)] {
            let reply = try await begin(bench, more)
            #expect(reply.status == 400 && reply.code == code, "\(more.text): \(reply.text)")
        }
        #expect(bench.providers.requests.isEmpty)
    }
}
