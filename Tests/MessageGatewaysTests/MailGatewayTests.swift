// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail
import MessageGateways
import Testing

@Suite("Mail by HTTP APIs, over a socket", .timeLimit(.minutes(10)))
struct MailGatewayTests {
    static let now = Instant(microseconds: 1_790_000_000_000_000)
    static let taken: [MailGateway.Kind: JSONObject] = [
        .resend: ["status": 200, "body": #"{"id":"49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}"#],
        .mailgun: ["status": 200, "body": #"{"id":"<2026.1@mg.example.com>","message":"Queued. Thank you."}"#],
    ]

    private static func mail() throws -> RenderedMail {
        RenderedMail(
            id: "0197d3a0-0000-7000-8000-000000000001", recipient: try EmailAddress("ada@example.com"),
            subject: "Grüße", text: "Your code: 123456", html: "<p>123456 &amp; ü</p>")
    }

    private func send(_ kind: MailGateway.Kind, _ server: GatewayServer) async throws -> MailDeliveryError? {
        let gateway = try MailGateway(server.settings(kind), kind: kind, senderName: "A \"B\"\r\nBcc: x")
        let mail = try Self.mail()
        do throws(MailDeliveryError) {
            try await gateway.send(mail, at: Self.now)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "R14.70 each API is asked as its vendor documents it: the whole mail, whom it is from, a key against repeats, no tracking"
    )
    func asked() async throws {
        let sender = #""A \"B\"  Bcc: x" <auth@example.com>"#
        try await GatewayServer.run([try #require(Self.taken[.resend])]) { server in
            #expect(try await send(.resend, server) == nil)
            let request = try await server.request()
            #expect(request.path == "/emails" && request.fields["authorization"] == "Bearer re_s3cret")
            #expect(request.fields["idempotency-key"] == "0197d3a0-0000-7000-8000-000000000001")
            let object = try request.object
            #expect(object["from"]?.stringValue == sender && object["to"] == ["ada@example.com"])
            #expect(object["subject"] == "Grüße" && object["text"] == "Your code: 123456")
            #expect(object["html"] == "<p>123456 &amp; ü</p>")
        }
        try await GatewayServer.run([try #require(Self.taken[.mailgun])]) { server in
            #expect(try await send(.mailgun, server) == nil)
            let request = try await server.request()
            #expect(request.path == "/v3/mg.example.com/messages")
            #expect(request.fields["authorization"] == "Basic YXBpOnJlX3MzY3JldA==")
            let form = request.form
            #expect(form["from"] == sender && form["to"] == "ada@example.com" && form["subject"] == "Grüße")
            #expect(form["text"] == "Your code: 123456" && form["html"] == "<p>123456 &amp; ü</p>")
            #expect(form["o:tracking"] == "no" && form["o:tracking-clicks"] == "no")
            #expect(form["h:Message-Id"] == "<0197d3a0-0000-7000-8000-000000000001@mg.example.com>")
        }
    }

    private static let verdicts: [(MailGateway.Kind, Int64, String, String?, MailDeliveryError.Kind, Int64?)] = [
        (
            .resend, 422,
            #"{"statusCode":422,"name":"validation_error","message":"Invalid `to` field: ada@example.com"}"#, nil,
            .permanent, nil
        ),
        (.resend, 422, #"{"statusCode":422,"name":"invalid_from_address","message":"…"}"#, nil, .temporary, nil),
        (
            .resend, 403, #"{"statusCode":403,"name":"validation_error","message":"verify a domain"}"#, nil, .temporary,
            nil
        ),
        (.resend, 401, #"{"statusCode":401,"name":"missing_api_key"}"#, nil, .temporary, nil),
        (.resend, 409, #"{"statusCode":409,"name":"concurrent_idempotent_requests"}"#, nil, .temporary, nil),
        (.resend, 429, #"{"statusCode":429,"name":"rate_limit_exceeded"}"#, "2", .temporary, 2),
        (.resend, 500, #"{"statusCode":500,"name":"application_error"}"#, nil, .temporary, nil),
        (.resend, 200, "<html>", nil, .temporary, nil),
        (.resend, 302, "", nil, .temporary, nil),
        (
            .mailgun, 400, #"{"message":"'to' parameter is not a valid address. please check documentation"}"#, nil,
            .permanent, nil
        ),
        (
            .mailgun, 400, #"{"message":"'from' parameter is not a valid address. please check documentation"}"#, nil,
            .temporary, nil
        ),
        (.mailgun, 401, "Forbidden", nil, .temporary, nil),
        (.mailgun, 413, "", nil, .permanent, nil),
        (.mailgun, 429, "{}", "30", .temporary, 30),
        (.mailgun, 200, "{}", nil, .temporary, nil),
    ]

    @Test(
        "R14.70 what the recipient makes impossible is final, what the operator or the service can mend is tried again")
    func verdicts() async throws {
        let answers = Self.verdicts.map { row -> JSONObject in
            var answer: JSONObject = ["status": .integer(row.1), "body": .string(row.2)]
            if let wait = row.3 { answer["fields"] = ["Retry-After": .string(wait)] }
            return answer
        }
        try await GatewayServer.run(answers) { server in
            for row in Self.verdicts {
                let answer = try await send(row.0, server)
                let error = try #require(answer, "\(row)")
                #expect(error.kind == row.4 && error.wait?.seconds == row.5, "\(row)")
                #expect(!error.description.contains("ada@example.com"))
            }
        }
    }

    @Test("R14.70 a mail service that can't be used is refused at the start, by the name of what is wrong")
    func settings() throws {
        let whole = GatewaySettings(account: "mg.example.com", secret: Secret("k"), sender: "auth@example.com")
        func field(_ kind: MailGateway.Kind, _ change: (inout GatewaySettings) -> Void) -> String? {
            var settings = whole
            change(&settings)
            do throws(AuthError) {
                _ = try MailGateway(settings, kind: kind, senderName: nil)
                return nil
            } catch {
                return error.field
            }
        }
        for kind in MailGateway.Kind.allCases {
            #expect(field(kind) { _ in } == nil)
            #expect(field(kind) { $0.secret = nil } == "secret")
            #expect(field(kind) { $0.sender = "nobody" } == "sender")
            #expect(field(kind) { $0.url = "http://mail.example" } == "url")
        }
        #expect(field(.mailgun) { $0.account = nil } == "account" && field(.resend) { $0.account = nil } == nil)
    }
}
