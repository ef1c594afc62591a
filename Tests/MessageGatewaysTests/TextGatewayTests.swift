// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail
import MessageGateways
import Testing

@Suite("Text messages by gateways, over a socket", .timeLimit(.minutes(10)))
struct TextGatewayTests {
    static let now = Instant(microseconds: 1_790_000_000_000_000)
    static let id = "0197d3a0-0000-7000-8000-000000000001"

    /// What each says to a message that it has taken, as its documentation shows it.
    static let taken: [TextGateway.Kind: JSONObject] = [
        .twilio: [
            "status": 201,
            "body":
                #"{"sid":"SM1f0e8ae6ade43cb3c0ce4525424e404f","status":"queued","error_code":null,"error_message":null}"#,
        ],
        .vonage: [
            "status": 200,
            "body": #"{"message-count":"1","messages":[{"to":"447700900000","message-id":"aaaa","status":"0"}]}"#,
        ],
        .messagebird: [
            "status": 201, "body": #"{"id":"e8077d803532c0b5937c639b60216938","recipients":{"totalSentCount":1}}"#,
        ],
        .webhook: ["status": 204],
    ]

    /// `nil` where the gateway has taken it.
    private func send(
        _ kind: TextGateway.Kind, _ server: GatewayServer, text: String = "123456 is your code",
        total: TimeSpan = .minutes(5)
    ) async throws -> TextMessageError? {
        let gateway = try TextGateway(server.settings(kind, total: total), kind: kind)
        do {
            try await gateway.send(text, to: try PhoneNumber("+447700900000"), id: Self.id, at: Self.now)
            return nil
        } catch let error as TextMessageError {
            return error
        }
    }

    @Test("R14.70 each gateway is asked as its vendor documents it, and takes the message")
    func asked() async throws {
        for kind in TextGateway.Kind.allCases {
            let answer = try #require(Self.taken[kind])
            try await GatewayServer.run([answer], secret: kind == .webhook ? GatewayServer.secret : nil) { server in
                #expect(try await send(kind, server, text: "Grüße & 1+1") == nil, "\(kind)")
                let request = try await server.request()
                #expect(request.method == "POST")
                switch kind {
                case .twilio:
                    #expect(request.path == "/2010-04-01/Accounts/AC0123/Messages.json")
                    #expect(request.fields["authorization"]?.stringValue == "Basic QUMwMTIzOnMzY3ImdA==")
                    #expect(
                        request.form == ["To": "+447700900000", "From": "+15005550006", "Body": "Grüße & 1+1"])
                case .vonage:
                    #expect(request.path == "/sms/json")
                    #expect(
                        request.form == [
                            "api_key": "AC0123", "api_secret": "s3cr&t", "from": "+15005550006", "to": "447700900000",
                            "text": "Grüße & 1+1", "type": "unicode", "client-ref": Self.id,
                        ])
                case .messagebird:
                    #expect(request.path == "/messages")
                    #expect(request.fields["authorization"]?.stringValue == "AccessKey s3cr&t")
                    let object = try request.object
                    #expect(object["recipients"] == ["447700900000"] && object["originator"] == "+15005550006")
                    #expect(object["body"] == "Grüße & 1+1" && object["reference"]?.stringValue == Self.id)
                case .webhook:
                    #expect(request.path == "/sms" && request.isSigned)
                    #expect(request.fields["webhook-id"]?.stringValue == Self.id)
                    #expect(request.fields["webhook-timestamp"] == "1790000000")
                    let object = try request.object
                    let data = object["data"]?.objectValue
                    #expect(data?["to"] == "+447700900000" && data?["text"] == "Grüße & 1+1")
                }
            }
        }
    }

    @Test("R14.70 a messaging service of Twilio's is named as one, and text that needs no Unicode is not sent as such")
    func forms() async throws {
        try await GatewayServer.run([try #require(Self.taken[.twilio])]) { server in
            var settings = server.settings(.twilio)
            settings.sender = "MG" + String(repeating: "0", count: 32)
            let gateway = try TextGateway(settings, kind: .twilio)
            try await gateway.send("a", to: try PhoneNumber("+447700900000"), id: Self.id, at: Self.now)
            let form = try await server.request().form
            #expect(form["MessagingServiceSid"] == settings.sender && form["From"] == nil)
        }
        try await GatewayServer.run([try #require(Self.taken[.vonage])]) { server in
            #expect(try await send(.vonage, server) == nil)
            let form = try await server.request().form
            #expect(form["type"] == nil)
        }
    }

    private enum Outcome: Equatable {
        case refused
        case later(Int64?)
    }

    private static func vonage(_ states: String...) -> String {
        let parts = states.map { #"{"status":"\#($0)","error-text":"of +447700900000"}"# }.joined(separator: ",")
        return #"{"message-count":"\#(states.count)","messages":[\#(parts)]}"#
    }

    /// Status, body, `Retry-After`, and what follows from them.
    private static let verdicts: [(TextGateway.Kind, Int64, String, String?, Outcome)] = [
        (
            .twilio, 400, #"{"code":21211,"message":"Invalid 'To' Phone Number: +447700900000","status":400}"#, nil,
            .refused
        ),
        (.twilio, 400, #"{"code":21610,"message":"Attempt to send to unsubscribed recipient"}"#, nil, .refused),
        (.twilio, 400, #"{"code":21606,"message":"From is not a valid number"}"#, nil, .later(nil)),
        (.twilio, 400, #"{"code":99999}"#, nil, .later(nil)),
        (.twilio, 400, "<html>", nil, .later(nil)),
        (.twilio, 401, #"{"code":20003,"message":"Authenticate","status":401}"#, nil, .later(nil)),
        (.twilio, 429, #"{"code":20429,"message":"Too Many Requests"}"#, "17", .later(17)),
        (.twilio, 503, "", "999999999", .later(86_400)),
        (.twilio, 201, "{}", nil, .later(nil)),
        (.twilio, 201, #"{"sid":"SM1","status":"failed","error_code":21610}"#, nil, .refused),
        (.vonage, 200, vonage("29"), nil, .refused),
        (.vonage, 200, vonage("6"), nil, .refused),
        (.vonage, 200, vonage("1"), nil, .later(nil)),
        (.vonage, 200, vonage("4"), nil, .later(nil)),
        (.vonage, 200, vonage("9"), nil, .later(nil)),
        (.vonage, 200, vonage("0", "5"), nil, .refused),
        (.vonage, 200, #"{"message-count":"0","messages":[]}"#, nil, .later(nil)),
        (.vonage, 200, #"{"messages":[{}]}"#, nil, .later(nil)),
        (.vonage, 429, "", "3", .later(3)),
        (
            .messagebird, 422,
            #"{"errors":[{"code":10,"description":"no (correct) recipients","parameter":"recipients"}]}"#, nil, .refused
        ),
        (
            .messagebird, 422,
            #"{"errors":[{"code":10,"description":"originator is invalid","parameter":"originator"}]}"#, nil,
            .later(nil)
        ),
        (
            .messagebird, 401, #"{"errors":[{"code":2,"description":"Request not allowed","parameter":"access_key"}]}"#,
            nil, .later(nil)
        ),
        (
            .messagebird, 402, #"{"errors":[{"code":25,"description":"Not enough balance","parameter":null}]}"#, nil,
            .later(nil)
        ),
        (.messagebird, 200, "[]", nil, .later(nil)),
        (.webhook, 422, "", nil, .refused),
        (.webhook, 400, "", nil, .refused),
        (.webhook, 404, "", nil, .later(nil)),
        (.webhook, 410, "", nil, .later(nil)),
        (.webhook, 500, "", "60", .later(60)),
        (.webhook, 503, "", "Wed, 21 Oct 2026 07:28:00 GMT", .later(nil)),
        (.webhook, 503, "", "-5", .later(0)),
    ]

    @Test(
        "R14.70 what can never arrive is refused, all else is tried again when the gateway says; neither repeats whom it was for"
    )
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
                let (outcome, reason): (Outcome, String) =
                    switch error {
                    case .refused(let reason): (.refused, reason)
                    case .unavailable(let reason, let wait): (.later(wait?.seconds), reason)
                    }
                #expect(outcome == row.4, "\(row)")
                #expect(reason.contains("\(row.1)") && !reason.contains("447700900000") && !reason.contains("123456"))
            }
        }
    }

    @Test(
        "R14.70 an answer that is cut off, too large, elsewhere, late or none at all leaves the message to be tried again"
    )
    func broken() async throws {
        let location: JSONObject = ["Location": "/elsewhere"]
        for kind in TextGateway.Kind.allCases {
            let whole = try #require(Self.taken[kind])
            var cut = whole.merging(["mode": "cut"])
            if kind == .webhook { cut["status"] = 200 }
            let answers: [JSONObject] = [
                cut, ["mode": "huge"], ["mode": "endless"], ["mode": "hangup"],
                ["status": 307, "fields": .object(location)],
                ["status": 302, "fields": .object(location)], whole,
            ]
            try await GatewayServer.run(answers) { server in
                for answer in answers.dropLast() {
                    guard case .unavailable = try await send(kind, server) else {
                        Issue.record("\(kind) \(answer.text)")
                        continue
                    }
                    let request = try await server.request()
                    #expect(request.path != "/elsewhere", "no redirect is followed")
                }
                #expect(try await send(kind, server) == nil, "and once the gateway answers, it is there")
            }
        }
        try await GatewayServer.run([["mode": "slow"]]) { server in
            let error = try await send(.twilio, server, total: .milliseconds(200))
            #expect(error == .unavailable("no answer in time"))
        }
        var settings = GatewaySettings(
            account: "a", secret: Secret("b"), sender: "c", url: "http://127.0.0.1:1")
        settings.total = .minutes(5)
        let gateway = try TextGateway(settings, kind: .twilio)
        await #expect(throws: TextMessageError.unavailable("no answer, or one that broke off")) {
            try await gateway.send("a", to: try PhoneNumber("+447700900000"), id: Self.id, at: Self.now)
        }
    }

    @Test(
        "R14.70 a gateway that can't be used is refused at the start, by the name of what is wrong and never by a secret"
    )
    func settings() throws {
        let whole = GatewaySettings(account: "a", secret: Secret("hush"), sender: "c", url: "https://sms.example")
        func fault(_ kind: TextGateway.Kind, _ change: (inout GatewaySettings) -> Void) -> AuthError? {
            var settings = whole
            change(&settings)
            do throws(AuthError) {
                _ = try TextGateway(settings, kind: kind)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault(.twilio) { _ in } == nil && fault(.twilio) { $0.url = nil } == nil)
        #expect(fault(.twilio) { $0.account = nil }?.field == "account")
        #expect(fault(.vonage) { $0.account = "" }?.field == "account")
        #expect(fault(.messagebird) { $0.account = nil } == nil)
        for kind in TextGateway.Kind.allCases {
            #expect(fault(kind) { $0.secret = nil }?.field == "secret")
            if kind != .webhook {
                #expect(fault(kind) { $0.sender = "a\r\nb" }?.field == "sender")
                #expect(fault(kind) { $0.secret = Secret("a\nb") }?.field == "secret")
                for url in [
                    "http://sms.example", "ftp://sms.example", "https://a@sms.example", "sms.example",
                    "https://sms.example?a",
                ] {
                    #expect(fault(kind) { $0.url = url }?.field == "url", "\(url)")
                }
            }
        }
        let unsigned = try #require(fault(.webhook) { _ in })
        #expect(unsigned.field == "secret" && !"\(unsigned)".contains("hush"))
        #expect(fault(.webhook) { ($0.secret, $0.url) = (Secret(GatewayServer.secret), nil) }?.field == "url")
        #expect(fault(.webhook) { $0.secret = Secret(GatewayServer.secret) } == nil)
    }
}
