// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import ServerKit

@Suite("Requests for whose passwords there is no place")
struct HashingGateTests {
    private let bench = GateBench(places: 2)

    /// Connections whose requests hold every place.
    private func fill() throws -> [GateBench.Connection] {
        let connections = try (0..<2).map { try bench.connection("198.51.100.\($0)") }
        for connection in connections {
            try connection.ask("/sign-in")
            #expect(try connection.arrived() == ["/sign-in"])
        }
        #expect(bench.places.free == 0)
        return connections
    }

    @Test("R9.16 what is refused does not reach the server, and is told when to come again in the dialect's words")
    func refused() throws {
        let busy = try fill()
        let connection = try bench.connection()
        try connection.ask("/sign-in", [.acceptLanguage: "de", .origin: "https://app.example"])
        #expect(try connection.arrived() == [])
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 503 && answer.text == "overloaded de")
        #expect(answer.fields[.retryAfter] == "2" && answer.fields[.contentLength] == "13")
        #expect(answer.fields[.accessControlAllowOrigin] == "*" && answer.fields[.cacheControl] == "no-store")
        #expect(answer.fields[.date] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(connection.channel.isActive)

        // With the answer to another, there is a place again: on the same connection.
        try busy[0].serve()
        try connection.ask("/sign-in")
        #expect(try connection.arrived() == ["/sign-in"])
    }

    @Test("R9.16 whatever hashes nothing comes through, whoever else is refused")
    func others() throws {
        let busy = try fill()
        let connection = try bench.connection()
        let target = GateBench.target
        try connection.ask("/v1/me", method: .get)
        try connection.ask("/token?grant_type=refresh_token")
        try connection.ask("/", [target: "Begin"], body: #"{"AuthFlow":"REFRESH_TOKEN_AUTH"}"#)
        try connection.ask("/", [target: "Other"], body: #"{"PASSWORD":"x"}"#)
        #expect(try connection.arrived() == ["/v1/me", "/token?grant_type=refresh_token"])
        for _ in 0..<2 { try connection.serve() }
        // Whose body decides is judged when it is its turn.
        #expect(try connection.arrived() == ["/", "/"])
        #expect(connection.ended == 4)
        for _ in 0..<2 { try connection.serve() }
        #expect(try connection.answers().map(\.status) == [200, 200, 200, 200])
        #expect(bench.places.free == 0)
        withExtendedLifetime(busy) {}
    }

    @Test(
        "R9.16 nobody comes by the gate in disguise",
        arguments: [
            ("/sign-in/", "{}"), ("/sign-in?a=b", "{}"), ("http://a/sign-in", "{}"), ("/directories/b/sign-in", "{}"),
            ("/token?grant_type=password", "{}"), ("/token?a&grant%5Ftype=p%61ssword", "{}"),
            ("/token/?&&grant_type=password", "{}"), ("http://a/token?b=?&grant_type=password", "{}"),
            ("/token?grant_type=password#a", "{}"), ("/token?grant_type=password#%zz", "{}"),
            ("/", #"{"AuthParameters":{"PASSWORD":"x"}}"#), ("/", #"{"P\u0041SSWORD":"x"}"#),
            ("/", String(repeating: " ", count: 20_000)),
        ])
    func disguised(path: String, body: String) throws {
        let busy = try fill()
        let connection = try bench.connection()
        try connection.ask(path, [GateBench.target: "Begin"], body: body)
        #expect(try connection.arrived() == [])
        #expect(try connection.answers().map(\.status) == [503])
        withExtendedLifetime(busy) {}
    }

    @Test(
        "R9.16 a body is searched as JSON and as what it is called, since a dialect may read the one or the other",
        arguments: [
            ("application/x-www-form-urlencoded", #"{"AuthParameters":{"PASSWORD":"x"}}"#),
            ("application/x-www-form-urlencoded", #"{"P\u0041SSWORD":"%"}"#),
            ("Application/X-WWW-Form-URLEncoded; charset=utf-8", "a=b&P%41SSWORD=x"),
            ("text/plain", #"{"PASSWORD":"x"}"#),
        ])
    func calledOtherwise(type: String, body: String) throws {
        let busy = try fill()
        let connection = try bench.connection()
        try connection.ask("/", [GateBench.target: "Begin", .contentType: type], body: body)
        #expect(try connection.arrived() == [])
        #expect(try connection.answers().map(\.status) == [503])
        // And what says no such thing as either comes through.
        try connection.ask("/", [GateBench.target: "Begin", .contentType: type], body: #"{"flow":"PASSWORDS"}"#)
        #expect(try connection.arrived() == ["/"])
        withExtendedLifetime(busy) {}
    }

    @Test("R9.16 a client that goes on at once is told 429, late, and its connection is closed")
    func impatient() throws {
        let busy = try fill()
        let connection = try bench.connection()
        for _ in 0..<5 {
            try connection.ask("/sign-in")
            #expect(try connection.answers().map(\.status) == [503])
        }
        try connection.ask("/sign-in")
        #expect(try connection.answers() == [])
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        let answer = try #require(try connection.answers().first)
        #expect(answer.status == 429 && answer.fields[.connection] == "close" && answer.fields[.retryAfter] == "2")
        #expect(!connection.channel.isActive)

        // By another connection too, while others are only asked to wait, and whoever waits is borne with for ever.
        let again = try bench.connection()
        try again.ask("/sign-in")
        #expect(try again.answers() == [])
        let other = try bench.connection("192.0.2.2")
        for _ in 0..<50 {
            bench.advance(EarlyRefusals.wait)
            try other.ask("/sign-in")
            #expect(try other.answers().map(\.status) == [503])
        }
        // Who may be refused is who finds no place, and nobody else.
        try busy[0].serve()
        let third = try bench.connection()
        try third.ask("/sign-in")
        #expect(try third.arrived() == ["/sign-in"])
    }

    @Test("R9.16 a proxy's connection stays open, and its clients are told apart")
    func proxied() throws {
        let bench = GateBench(places: 1, hops: 1)
        let busy = try bench.connection()
        try busy.ask("/sign-in")
        let proxy = try bench.connection("10.0.0.1")
        for _ in 0..<5 { try proxy.ask("/sign-in", [.forwardedFor: "203.0.113.1"]) }
        #expect(try proxy.answers().map(\.status) == [503, 503, 503, 503, 503])
        try proxy.ask("/sign-in", [.forwardedFor: "203.0.113.2"])
        #expect(try proxy.answers().map(\.status) == [503])
        try proxy.ask("/sign-in", [.forwardedFor: "203.0.113.1"])
        proxy.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        let answer = try #require(try proxy.answers().first)
        #expect(answer.status == 429 && answer.fields[.connection] == nil)
        #expect(proxy.channel.isActive)
    }

    @Test("R9.16 an answer waits for those before it, and what is sent after it is answered then")
    func pipelined() throws {
        let busy = try fill()
        let connection = try bench.connection()
        try connection.ask("/v1/me", method: .get)
        try connection.ask("/sign-in")
        try connection.ask("/v1/me", method: .get)
        #expect(try connection.arrived() == ["/v1/me"])
        #expect(try connection.answers() == [])
        try connection.serve()
        #expect(try connection.answers().map(\.status) == [200, 503])
        #expect(try connection.arrived() == ["/v1/me"])
        try connection.serve()
        #expect(try connection.answers().map(\.status) == [200])
        #expect(connection.channel.isActive)
        withExtendedLifetime(busy) {}
    }

    @Test("R9.16 the beginning of a request takes no place from others, nor does one that waits for those before it")
    func beginnings() throws {
        let begun = try (0..<8).map { try bench.connection("198.51.100.\($0)") }
        for connection in begun {
            try connection.head("/sign-in")
            try connection.body("{")
        }
        let connection = try bench.connection()
        try connection.ask("/v1/me", method: .get)
        for _ in 0..<3 { try connection.ask("/sign-in") }
        #expect(try connection.arrived() == ["/v1/me"])
        #expect(bench.places.free == 2)
        for _ in 0..<3 {
            try connection.serve()
            #expect(try connection.arrived() == ["/sign-in"])
            #expect(bench.places.free == 1)
        }
        try begun[0].end()
        #expect(try begun[0].arrived() == ["/sign-in"] && bench.places.free == 0)
        try begun[1].end()
        #expect(try begun[1].arrived() == [] && begun[1].answers().map(\.status) == [503])
    }

    @Test("R9.16 who takes no answers gets no place for what is sent behind them")
    func unread() throws {
        let connection = try bench.connection()
        connection.channel.isWritable = false
        try connection.ask("/sign-in")
        #expect(try connection.arrived() == [] && bench.places.free == 2)
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try connection.arrived() == ["/sign-in"] && bench.places.free == 1)
    }

    @Test("R9.16 a body is held as one, in however many parts it comes")
    func parts() throws {
        let connection = try bench.connection()
        let body = #"{"PASSWORD":"x"}"#
        try connection.head("/", [GateBench.target: "Begin"])
        for octet in body { try connection.body(String(octet)) }
        try connection.end()
        var bodies: [String] = []
        while let part = try connection.channel.readInbound(as: HTTPRequestPart.self) {
            if case .body(let buffer) = part { bodies.append(String(buffer: buffer)) }
        }
        #expect(bodies == [body] && bench.places.free == 1)
    }

    @Test("R9.16 a long body goes through as it comes, and its request has a place once it is whole, if there is one")
    func long() throws {
        let connections = try (0..<3).map { try bench.connection("198.51.100.\($0)") }
        for connection in connections {
            try connection.head("/sign-in")
            try connection.body(String(repeating: "a", count: 20_000))
            #expect(try connection.arrived() == ["/sign-in"])
        }
        #expect(bench.places.free == 2)
        for (connection, free) in zip(connections, [1, 0, 0]) {
            try connection.end()
            #expect(try connection.arrived() == [] && bench.places.free == free)
        }
        // Whichever had one gives it back, and one that was answered before it was whole has none.
        for (connection, free) in zip(connections, [1, 2, 2]) {
            try connection.serve()
            #expect(bench.places.free == free)
        }
        try connections[0].head("/sign-in")
        try connections[0].body(String(repeating: "a", count: 20_000))
        try connections[0].serve()
        try connections[0].end()
        #expect(bench.places.free == 2)
    }

    @Test(
        "R9.16 who waits to be asked for a body is asked where there is a place, and refused at once where there is none"
    )
    func expected() throws {
        let connection = try bench.connection()
        try connection.head("/sign-in", [.expect: "100-continue"])
        #expect(try connection.answers().map(\.status) == [100])
        try connection.body("{}")
        try connection.end()
        #expect(try connection.arrived() == ["/sign-in"])
        let other = try bench.connection("192.0.2.2")
        try other.ask("/sign-in")
        let third = try bench.connection("192.0.2.3")
        try third.head("/sign-in", [.expect: "100-continue"])
        #expect(try third.answers().map(\.status) == [503])
        #expect(!third.channel.isActive)
    }

    @Test("R9.16 nothing is read while something waits for its turn, or for its refusal")
    func reads() throws {
        let connection = try bench.connection()
        #expect(connection.reads())
        try connection.ask("/v1/me", method: .get)
        #expect(connection.reads())
        try connection.ask("/sign-in")
        #expect(!connection.reads())
        #expect(try connection.arrived() == ["/v1/me"])
        try connection.serve()
        #expect(connection.reads())

        let proxied = GateBench(places: 1, hops: 1)
        let busy = try proxied.connection()
        try busy.ask("/sign-in")
        let late = try proxied.connection("10.0.0.1")
        for _ in 0..<5 { try late.ask("/sign-in", [.forwardedFor: "203.0.113.1"]) }
        #expect(late.reads())
        try late.ask("/sign-in", [.forwardedFor: "203.0.113.1"])
        #expect(!late.reads())
        // What can't be read is told of after it.
        late.channel.pipeline.fireErrorCaught(HTTPParserError.invalidVersion)
        try late.channel.throwIfErrorCaught()
        #expect(try late.answers().count == 5)
        late.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try late.answers().map(\.status) == [429])
        #expect(throws: HTTPParserError.invalidVersion) { try late.channel.throwIfErrorCaught() }
        #expect(late.reads())
    }

    @Test("R9.16 the rest of a refused request is passed over, and too much of it ends the connection")
    func passedOver() throws {
        let busy = try fill()
        let connection = try bench.connection()
        try connection.head("/sign-in")
        #expect(try connection.answers().map(\.status) == [503])
        try connection.body("{}")
        try connection.end()
        try connection.ask("/v1/me", method: .get)
        #expect(try connection.arrived() == ["/v1/me"])
        try connection.serve()
        try connection.head("/sign-in")
        for _ in 0..<5 where connection.channel.isActive {
            try connection.body(String(repeating: "a", count: 16 << 10))
        }
        #expect(!connection.channel.isActive)
        withExtendedLifetime(busy) {}
    }

    @Test("R9.16 who hangs up keeps the place until the work is done")
    func gone() throws {
        let connection = try bench.connection()
        try connection.ask("/sign-in")
        #expect(bench.places.free == 1)
        try connection.channel.close().wait()
        #expect(bench.places.free == 1)
        connection.held.end()
        #expect(bench.places.free == 2)
        connection.held.giveBack()
        #expect(bench.places.free == 2)
    }

    @Test("R9.16 refusals are counted, and told of in one line for all of ten seconds, without an address")
    func told() throws {
        let busy = try fill()
        let connection = try bench.connection("192.0.2.77")
        for _ in 0..<5 { try connection.ask("/sign-in") }
        #expect(log.lines.count == 1)
        bench.advance(.seconds(10))
        try connection.ask("/sign-in")
        #expect(log.lines.count == 2 && log.text.contains(#""refused":"5""#))
        #expect(log.text.contains("192.0.2.0") && !log.text.contains("192.0.2.77"))
        #expect(bench.metrics.text().contains("latchkey_password_refusals_total{answer=\"busy\"} 6"))
        withExtendedLifetime(busy) {}
    }

    private var log: LogCapture { bench.log }
}
