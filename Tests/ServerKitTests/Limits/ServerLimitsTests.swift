// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ServerKit

@Suite("Limits of a connection")
struct ServerLimitsTests {
    private func status(_ headers: HTTPFields, uri: String = "/beta/x") async throws -> HTTPResponse.Status? {
        let bench = ServerBench()
        bench.on(.get, "/beta/x")
        return try await bench.test(.live) { client in
            try await client.execute(uri: uri, method: .get, headers: headers).status
        }
    }

    private func fields(_ count: Int, bytes: Int = 1) throws -> HTTPFields {
        var fields = HTTPFields()
        for number in 0..<count {
            let name = try #require(HTTPField.Name("X-\(number)"))
            fields.append(HTTPField(name: name, value: String(repeating: "x", count: bytes)))
        }
        return fields
    }

    @Test("a header as browsers and proxies send it is taken")
    func usual() async throws {
        #expect(try await status(fields(50, bytes: 200)) == .ok)
        #expect(try await status(fields(1, bytes: 8 << 10)) == .ok)
    }

    @Test("R86 too many fields are refused")
    func count() async throws {
        #expect(try await status(fields(1000)) == .badRequest)
    }

    @Test("R86 a field that is too long is refused, and so is a header of many long ones")
    func size() async throws {
        #expect(try await status(fields(1, bytes: 20 << 10)) == .badRequest)
        #expect(try await status(fields(20, bytes: 10 << 10)) == .badRequest)
        #expect(try await status([:], uri: "/beta/" + String(repeating: "x", count: 20 << 10)) == .badRequest)
    }
}
