// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Testing

@testable import ServerKit

@Suite("Reading requests")
struct RequestReadingTests {
    private func request(
        _ body: RequestBody = .init(buffer: ByteBuffer()), _ headers: HTTPFields = [:], uri: String = "/"
    ) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
            body: body)
    }

    private func object(_ text: String, type: String? = "application/json") async throws -> JSONObject {
        var headers = HTTPFields()
        headers[.contentType] = type
        return try await RequestReading.object(of: request(.init(buffer: ByteBuffer(string: text)), headers))
    }

    @Test("a JSON object is read as it is")
    func reads() async throws {
        #expect(try await object(#"{"a":1,"b":[null,"ä"]}"#) == ["a": 1, "b": [nil, "ä"]])
    }

    @Test("an empty body is an empty object, whatever type it claims", arguments: ["", " ", "\r\n\t "])
    func empty(text: String) async throws {
        #expect(try await object(text).isEmpty)
        #expect(try await object(text, type: "text/plain").isEmpty)
    }

    @Test(
        "R89 what is not one JSON object is refused, and its text is not repeated",
        arguments: [
            "hunter2", "{", "{}{}", "[]", "null", "\"hunter2\"", "1", #"{"a":1,}"#, #"{a:1}"#, "{'a':1}", #"{"a":NaN}"#,
            #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "\u{FEFF}{}", #"{"a":"\ud800"}"#, "{\"a\":\"\n\"}",
            String(repeating: "[", count: 10_000), String(repeating: #"{"a":"#, count: 10_000),
        ])
    func malformed(text: String) async throws {
        let error = await #expect(throws: AuthError(.invalidJSON)) { try await object(text) }
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("bytes that are not UTF-8 are no JSON")
    func invalidUTF8() async {
        let body = ByteBuffer(bytes: Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
        await #expect(throws: AuthError(.invalidJSON)) {
            try await RequestReading.object(of: request(.init(buffer: body)))
        }
    }

    @Test(
        "R11.5 bytes that are not UTF-8 are no form, wherever they stand, nor are more than 8 KiB",
        arguments: [[0x61, 0x3D, 0xFF], [0xC3, 0x3D, 0x61], [0x61, 0x3D, 0xC3, 0x26, 0xA4, 0x3D, 0x62]] as [[UInt8]])
    func invalidForm(octets: [UInt8]) async {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        await #expect(throws: AuthError(.invalidRequest)) {
            _ = try await RequestReading.formPairs(
                of: request(.init(buffer: ByteBuffer(bytes: octets)), headers))
        }
        let long = ByteBuffer(bytes: Array("a=".utf8) + Array(repeating: 0x61, count: 8191))
        await #expect(throws: AuthError(.requestTooLarge)) {
            _ = try await RequestReading.formObject(of: request(.init(buffer: long), headers))
        }
    }

    @Test("32 levels are read, 33 are not")
    func depth() async throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)
        }
        _ = try await object(nested(32))
        await #expect(throws: AuthError(.invalidJSON)) { try await object(nested(33)) }
    }

    @Test(
        "JSON's own types are taken, and a body without a type",
        arguments: [
            nil, "application/json", "application/json; charset=utf-8", "Application/JSON ;charset=UTF-8",
            "application/x-amz-json-1.1", "application/problem+json",
        ])
    func types(type: String?) async throws {
        #expect(try await object(#"{"a":1}"#, type: type).count == 1)
    }

    @Test(
        "what a page can send to a stranger without asking is refused",
        arguments: [
            "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=json", "text/json",
            "text/plain; application/json", "text/plain, application/json", "application/json, text/plain",
            "application/x-www-form-urlencoded, application/json", "application/x-www-form-urlencoded/json", "json",
            "application/jsonp", "application", "", ";application/json",
        ])
    func wrongTypes(type: String) async {
        await #expect(throws: AuthError(.invalidRequest)) { try await object(#"{"a":1}"#, type: type) }
    }

    @Test("a second Content-Type can't outvote the first")
    func twoTypes() async {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .contentType, value: "application/json"))
        headers.append(HTTPField(name: .contentType, value: "text/plain"))
        await #expect(throws: AuthError(.invalidRequest)) {
            try await RequestReading.object(of: request(.init(buffer: ByteBuffer(string: "{}")), headers))
        }
    }
}

@Suite("Limits of bodies")
struct BodyLimitTests {
    private func bytes(_ body: RequestBody, length: String? = nil) async throws -> Int {
        var headers = HTTPFields()
        headers[.contentLength] = length
        let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/", headerFields: headers)
        return try await RequestReading.bytes(of: Request(head: head, body: body)).count
    }

    @Test("a body as large as the limit is read, and a byte more is not")
    func limit() async throws {
        let limit = RequestReading.bodyLimit
        #expect(try await bytes(.init(buffer: ByteBuffer(repeating: 32, count: limit))) == limit)
        await #expect(throws: AuthError(.requestTooLarge)) {
            try await bytes(.init(buffer: ByteBuffer(repeating: 32, count: limit + 1)))
        }
    }

    @Test("a body that announces too much is refused before any of it is read")
    func announced() async {
        // Nothing ever comes.
        let (stream, source) = AsyncStream.makeStream(of: ByteBuffer.self)
        await #expect(throws: AuthError(.requestTooLarge)) {
            try await bytes(.init(asyncSequence: stream), length: "\(RequestReading.bodyLimit + 1)")
        }
        source.finish()
    }

    @Test("a body that lies about its length, or never ends, is refused at the limit")
    func endless() async {
        let chunk = ByteBuffer(repeating: 32, count: 64 << 10)
        for length in [nil, "1", "99999999999999999999"] {
            let endless = AsyncStream { chunk }
            await #expect(throws: AuthError(.requestTooLarge)) {
                try await bytes(.init(asyncSequence: endless), length: length)
            }
        }
    }

    @Test("a body that breaks off is the client's fault")
    func broken() async {
        struct Reset: Error {}
        let stream = AsyncThrowingStream<ByteBuffer, any Error> { $0.finish(throwing: Reset()) }
        await #expect(throws: AuthError(.invalidRequest)) { try await bytes(.init(asyncSequence: stream)) }
    }
}

@Suite("Reading queries and forms")
struct FormReadingTests {
    @Test("names and values are decoded, in any letter case of their hexadecimal digits")
    func reads() throws {
        #expect(
            try RequestReading.form("a=1&b=x+y%26%3d&c&d=&e=%C3%a4=f") == [
                "a": "1", "b": "x y&=", "c": "", "d": "", "e": "ä=f",
            ])
        #expect(try RequestReading.form("") == [:])
        #expect(try RequestReading.form("&&a=1&") == ["a": "1"])
    }

    @Test(
        "broken encoding is refused",
        arguments: ["a=%", "a=%4", "a=%zz", "a=%é", "a=%aé", "%=1", "a=%€", "a=%FF", "a=%C3", "a=%ED%A0%80", "a=%+1"])
    func broken(text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try RequestReading.form(text) }
    }

    @Test("R8.1 more than 30 combining marks in a row are no text of a form, however they are written")
    func marks() throws {
        for mark in ["\u{307}", "%CC%87"] {
            let run = String(repeating: mark, count: 30)
            #expect(try RequestReading.form("a=e\(run)&e\(run)=1").count == 2)
            #expect(throws: AuthError(.invalidRequest)) { try RequestReading.form("a=\(run)\(mark)") }
            #expect(throws: AuthError(.invalidRequest)) { try RequestReading.form("\(run)\(mark)=a") }
        }
    }

    @Test("a name given twice is refused, also written in two ways", arguments: ["a=1&a=1", "a=1&%61=2", "a&a"])
    func twice(text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try RequestReading.form(text) }
    }

    @Test("R89 brackets in names are letters like others, and too long a form is refused")
    func nesting() throws {
        let deep = "a" + String(repeating: "[b]", count: 2000) + "=1"
        #expect(try RequestReading.form(deep).count == 1)
        #expect(throws: AuthError(.requestTooLarge)) { try RequestReading.form(deep + deep) }
    }

    @Test("a request's query is what follows the first question mark")
    func query() throws {
        func query(_ uri: String) throws -> [String: String] {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "x", path: uri)
            return try RequestReading.query(of: Request(head: head, body: .init(buffer: ByteBuffer())))
        }
        #expect(try query("/a") == [:])
        #expect(try query("/a?") == [:])
        #expect(try query("/a?b=c?d&e=http://x/") == ["b": "c?d", "e": "http://x/"])
    }
}
