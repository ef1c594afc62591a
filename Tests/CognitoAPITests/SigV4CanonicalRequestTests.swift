// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import CognitoAPI

@Suite("SigV4: the test suite of AWS")
struct SigV4CanonicalRequestTests {
    /// A case of the suite, read from its raw request.
    struct Case: Decodable, CustomTestStringConvertible {
        let name, request, canonical, stringToSign, authorization: String

        var testDescription: String { name }

        /// Method, target, headers in lower case in the order sent, body.
        func parsed() throws -> (method: String, target: String, headers: [(name: String, value: String)], body: String)
        {
            let parts = request.components(separatedBy: "\n\n")
            var lines = parts[0].components(separatedBy: "\n")
            let first = lines.removeFirst()
            let space = try #require(first.firstIndex(of: " "))
            let end = try #require(first.range(of: " HTTP/1.1", options: .backwards))
            var headers: [(name: String, value: String)] = []
            for line in lines where !line.isEmpty {
                if line.hasPrefix(" "), let last = headers.indices.last {
                    // A value over several lines (RFC 9112, section 5.2): the line break counts as a blank.
                    headers[last].value += " " + line
                } else {
                    let colon = try #require(line.firstIndex(of: ":"))
                    headers.append(
                        (line[..<colon].lowercased(), String(line[line.index(after: colon)...])))
                }
            }
            return (
                String(first[..<space]), String(first[first.index(after: space)..<end.lowerBound]), headers,
                parts.dropFirst().joined(separator: "\n\n")
            )
        }
    }

    static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Vectors/sigv4.json")
        return (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test("D-1 each request has the canonical form and the signature that the suite says", arguments: cases)
    func canonical(_ vector: Case) throws {
        let (method, target, headers, body) = try vector.parsed()
        let authorization = try #require(SignatureAuthorization(vector.authorization))
        let signed = authorization.signedHeaders.map { name in
            (name: name, values: headers.filter { $0.name == name }.map(\.value))
        }
        let request = CanonicalRequest(
            method: method, target: target, headers: signed, payloadHash: CanonicalRequest.hash(Array(body.utf8)))
        #expect(request.text == vector.canonical)
        #expect(vector.stringToSign.hasSuffix(request.hash))
        let signature = RequestSignature.signature(
            of: request, authorization, timestamp: "20150830T123600Z",
            secret: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"))
        #expect(signature == authorization.signature)
    }

    @Test("D-1 the suite is there")
    func present() { #expect(Self.cases.count > 30) }

    @Test(
        "D-1 other forms of the header are refused",
        arguments: [
            "", "AWS4-HMAC-SHA256", "Bearer abc", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=host",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws5_request, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=/20150830/r/s/aws4_request, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830//s/aws4_request, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=Host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=x;host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=host;host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=host, Signature=00, Signature=01",
            "AWS4-ECDSA-P256-SHA256 Credential=a/20150830/r/s/aws4_request, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 " + String(repeating: "Credential=", count: 1000),
        ])
    func malformed(_ header: String) { #expect(SignatureAuthorization(header) == nil) }

    @Test("D-1 a key's identifier may have slashes, and fields come without blanks too")
    func lenient() throws {
        let header = try #require(
            SignatureAuthorization(
                "AWS4-HMAC-SHA256 Credential=a/b/20150830/r/s/aws4_request,SignedHeaders=host;x-a,Signature=0f"))
        #expect(header.keyID == "a/b")
        #expect(header.signedHeaders == ["host", "x-a"])
        #expect(header.scope == "20150830/r/s/aws4_request")
    }
}
