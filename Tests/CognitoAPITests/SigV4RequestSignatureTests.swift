// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import CognitoAPI

@Suite("SigV4: requests as botocore signs them")
struct SigV4RequestSignatureTests {
    struct Recorded: Decodable, CustomTestStringConvertible {
        let operation, key, secret, body: String
        let headers: [String: String]

        var testDescription: String { operation }

        func request(changing: (inout HTTPRequest) -> Void = { _ in }) throws -> Request {
            var head = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:8080", path: "/")
            for (name, value) in headers { head.headerFields[try #require(HTTPField.Name(name))] = value }
            changing(&head)
            return Request(head: head, body: .init(buffer: ByteBuffer()))
        }
    }

    static let recorded: [Recorded] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Vectors/botocore.json")
        return (try? JSONDecoder().decode([Recorded].self, from: Data(contentsOf: file))) ?? []
    }()
    static let signedAt = Instant(seconds: 1_780_000_000)

    static func judge(
        _ recorded: Recorded, body: String? = nil, service: String = "cognito-idp", secret: String? = nil,
        key: String? = nil, now: Instant = signedAt, changing: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> String {
        try RequestSignature.administrator(
            of: recorded.request(changing: changing), body: Array((body ?? recorded.body).utf8), service: service,
            keys: [key ?? recorded.key: Secret(secret ?? recorded.secret), "other": Secret("other")], now: now)
    }

    /// Signs a request here, so that only what is signed is wrong with it.
    static func sign(_ names: [String], _ headers: [String: String], body: String) throws -> Request {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:8080", path: "/")
        var all = headers
        all["x-amz-date"] = "20260528T202640Z"
        for (name, value) in all { head.headerFields[try #require(HTTPField.Name(name))] = value }
        let unsigned =
            "AWS4-HMAC-SHA256 Credential=FOOBARKEY/20260528/us-east-1/cognito-idp/aws4_request, "
            + "SignedHeaders=\(names.joined(separator: ";")), Signature="
        let authorization = try #require(SignatureAuthorization(unsigned))
        let canonical = CanonicalRequest(
            method: "POST", target: "/",
            headers: names.map { (name: $0, values: [$0 == "host" ? "127.0.0.1:8080" : all[$0] ?? ""]) },
            payloadHash: CanonicalRequest.hash(Array(body.utf8)))
        head.headerFields[.authorization] =
            unsigned
            + RequestSignature.signature(
                of: canonical, authorization, timestamp: "20260528T202640Z", secret: Secret("FOOBARSECRET"))
        return Request(head: head, body: .init(buffer: ByteBuffer()))
    }

    static func judge(_ request: Request, body: String) -> String {
        do {
            return try RequestSignature.administrator(
                of: request, body: Array(body.utf8), service: "cognito-idp",
                keys: ["FOOBARKEY": Secret("FOOBARSECRET")], now: signedAt)
        } catch {
            return error.message
        }
    }

    static func exception(_ body: () throws -> String) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? WireError)?.exception ?? "\(error)"
        }
    }

    @Test("D-1 a request signed with a known key is its holder's", arguments: recorded)
    func right(_ recorded: Recorded) throws {
        #expect(try Self.judge(recorded) == recorded.key)
        #expect(try RequestSignature.claimedKey(in: recorded.request().headers) == recorded.key)
    }

    @Test("D-1 the recorded requests are there")
    func present() { #expect(Self.recorded.count == 3) }

    @Test("D-1 whatever was signed cannot be changed", arguments: recorded)
    func changed(_ recorded: Recorded) throws {
        let changes: [(inout HTTPRequest) -> Void] = [
            { $0.headerFields[.amazonTarget] = "AWSCognitoIdentityProviderService.AdminDeleteUser" },
            { $0.authority = "127.0.0.1:8081" },
            { $0.path = "/x" },
            { $0.path = "/?a=b" },
            { $0.method = .put },
            { $0.headerFields[.contentType] = "application/json" },
            { $0.headerFields[.amazonDate] = "20260528T202641Z" },
            { $0.headerFields[.amazonDate] = "20260528T202641Z" },
        ]
        for change in changes {
            #expect(Self.exception { try Self.judge(recorded, changing: change) } == "InvalidSignatureException")
        }
        #expect(Self.exception { try Self.judge(recorded, body: recorded.body + " ") } == "InvalidSignatureException")
        #expect(Self.exception { try Self.judge(recorded, secret: "wrong") } == "InvalidSignatureException")
        #expect(
            Self.exception { try Self.judge(recorded, service: "cognito-identity") } == "InvalidSignatureException")
    }

    @Test("D-1 a header that says more must be signed")
    func unsigned() throws {
        let recorded = try #require(Self.recorded.first)
        let names = ["X-Amz-Security-Token", "X-Amz-Content-Sha256"]
        for name in names {
            let field = try #require(HTTPField.Name(name))
            #expect(
                Self.exception { try Self.judge(recorded) { $0.headerFields[field] = "x" } }
                    == "InvalidSignatureException")
        }
        // Proxies and clients add others.
        let trace = try #require(HTTPField.Name("X-Amzn-Trace-Id"))
        #expect(try Self.judge(recorded) { $0.headerFields[trace] = "x" } == recorded.key)
        let dropped = recorded.headers["Authorization"]?.replacingOccurrences(of: ";x-amz-target", with: "")
        #expect(
            Self.exception { try Self.judge(recorded) { $0.headerFields[.authorization] = dropped } }
                == "InvalidSignatureException")
        let hostless = recorded.headers["Authorization"]?.replacingOccurrences(of: "host;", with: "")
        #expect(
            Self.exception { try Self.judge(recorded) { $0.headerFields[.authorization] = hostless } }
                == "InvalidSignatureException")
    }

    @Test("D-1 a rightly signed request is refused where it leaves out what it must sign")
    func required() throws {
        let headers = ["x-amz-target": "AWSCognitoIdentityProviderService.ListUserPools"]
        #expect(
            try Self.judge(Self.sign(["host", "x-amz-date", "x-amz-target"], headers, body: "{}"), body: "{}")
                == "FOOBARKEY")
        for (left, names) in [
            ("x-amz-target", ["host", "x-amz-date"]), ("x-amz-date", ["host", "x-amz-target"]),
            ("host", ["x-amz-date", "x-amz-target"]),
        ] {
            #expect(
                try Self.judge(Self.sign(names, headers, body: "{}"), body: "{}")
                    == "'\(left)' must be a 'SignedHeader' in the AWS Authorization.")
        }
    }

    @Test("D-1 a hash of the body in a header must be the body's")
    func contentHash() throws {
        let names = ["host", "x-amz-content-sha256", "x-amz-date"]
        func verdict(_ hash: String) throws -> String {
            try Self.judge(Self.sign(names, ["x-amz-content-sha256": hash], body: "{}"), body: "{}")
        }
        #expect(try verdict(CanonicalRequest.hash(Array("{}".utf8))) == "FOOBARKEY")
        for hash in ["UNSIGNED-PAYLOAD", "", CanonicalRequest.hash([])] {
            #expect(try verdict(hash) == "The value of x-amz-content-sha256 is not the hash of the body.")
        }
    }

    @Test("D-1 an unknown key, no signature and a broken one have errors of their own")
    func errors() throws {
        let recorded = try #require(Self.recorded.first)
        #expect(Self.exception { try Self.judge(recorded, key: "nobody") } == "UnrecognizedClientException")
        #expect(
            Self.exception { try Self.judge(recorded) { $0.headerFields[.authorization] = nil } }
                == "MissingAuthenticationTokenException")
        for value in ["Bearer abc", "", "AWS4-HMAC-SHA256 x"] {
            #expect(
                Self.exception { try Self.judge(recorded) { $0.headerFields[.authorization] = value } }
                    == "IncompleteSignatureException")
        }
        for value in [nil, "2026-05-28", "20260528T202640", "20261328T202640Z", "٢0260528T202640"] {
            #expect(
                Self.exception { try Self.judge(recorded) { $0.headerFields[.amazonDate] = value } }
                    == "IncompleteSignatureException")
        }
        let twice = HTTPField(name: .authorization, value: "AWS4-HMAC-SHA256 x")
        #expect(
            Self.exception { try Self.judge(recorded) { $0.headerFields.append(twice) } }
                == "IncompleteSignatureException")
    }

    @Test("D-1 a signature holds for five minutes either way")
    func time() throws {
        let recorded = try #require(Self.recorded.first)
        for seconds in [-300, -299, 0, 299, 300] as [Int64] {
            #expect(try Self.judge(recorded, now: Self.signedAt + .seconds(seconds)) == recorded.key)
        }
        for seconds in [-86_400, -301, 301, 86_400] as [Int64] {
            #expect(
                Self.exception { try Self.judge(recorded, now: Self.signedAt + .seconds(seconds)) }
                    == "InvalidSignatureException")
        }
    }

    @Test("D-1 development names the key without judging it")
    func claimed() {
        var headers = HTTPFields()
        #expect(RequestSignature.claimedKey(in: headers) == nil)
        headers[.authorization] = "Bearer x"
        #expect(RequestSignature.claimedKey(in: headers) == nil)
        headers[.authorization] =
            "AWS4-HMAC-SHA256 Credential=FOOBARKEY/20260528/x/y/aws4_request, SignedHeaders=host, Signature=00"
        #expect(RequestSignature.claimedKey(in: headers) == "FOOBARKEY")
    }

    @Test("D-2 the secret hash of the reference, and its refusals")
    func secretHash() throws {
        let hash = SecretHash.compute(username: "alice", client: ClientID("client123"), secret: Secret("s3cr3t"))
        #expect(hash == "kOPeHzvKtscBvBM4zlIffwOT074cplXWBq9MCfoDa4k=")
    }
}
