// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import Testing

@testable import ServerKit

@Suite("Whom limits count") struct ClientCountingTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func origin(
        _ counting: ClientCounting, _ address: String, hops: Int = 0, _ fields: [String: String] = [:]
    ) throws -> String? {
        var headers = HTTPFields()
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        return counting.origin(
            of: headers, client: try #require(ClientAddress(address)), hops: hops, logger: Self.logger)
    }

    @Test(
        "R10.3 the address of a private proxy that nobody announced is no client's",
        arguments: [
            "10.1.2.3", "172.16.0.1", "172.31.255.1", "192.168.1.1", "127.0.0.1", "169.254.1.1", "100.64.0.1", "::1",
            "fd12:3456::1", "fe80::1", "::ffff:10.0.0.1",
        ])
    func privateProxies(address: String) throws {
        let counting = ClientCounting.byAddress()
        for name in ["X-Forwarded-For", "Forwarded"] {
            #expect(try origin(counting, address, [name: "203.0.113.1"]) == nil)
        }
        // One that forwards for nobody is whoever it is, and one that was announced tells whose the request is.
        #expect(try origin(counting, address) != nil)
        #expect(try origin(counting, "203.0.113.9", hops: 1, ["X-Forwarded-For": "203.0.113.9"]) == "203.0.113.9")
        #expect(try origin(counting, address, hops: 1, ["X-Forwarded-For": address]) != nil)
    }

    @Test(
        "R59 who calls from the internet is counted by their address, whatever they write",
        arguments: ["203.0.113.7", "172.15.0.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "11.0.0.1", "2001:db8::1"])
    func forged(address: String) throws {
        let own = try origin(.byAddress(), address)
        #expect(own != nil)
        #expect(try origin(.byAddress(), address, ["X-Forwarded-For": "203.0.113.1", "Forwarded": "for=x"]) == own)
    }

    @Test("R10.3 behind a gateway the header that it was told to set says who calls, and nothing else does")
    func headers() throws {
        let counting = ClientCounting.byHeader(["Sb-Forwarded-For", "X-Client"])
        let gateway = "172.18.0.2"
        #expect(try origin(counting, gateway, ["X-Client": " 203.0.113.7 , 10.0.0.1"]) == "203.0.113.7")
        #expect(try origin(counting, gateway, ["X-Client": "203.0.113.7", "Sb-Forwarded-For": "a"]) == "a")
        #expect(try origin(counting, gateway, ["X-Client": "2001:db8:a:b:c::1"]) == "2001:db8:a:b::")
        for value in ["", " ", ",203.0.113.7", " ,x"] {
            #expect(try origin(counting, gateway, ["X-Client": value]) == nil, "\(value)")
        }
        #expect(try origin(counting, gateway, ["X-Forwarded-For": "203.0.113.7"]) == nil)
        #expect(try origin(counting, "203.0.113.7", hops: 1) == "203.0.113.7")
        // Without such a header nobody is counted by an address, which is the gateway's.
        #expect(try origin(.byHeader([]), gateway) == nil && origin(.byHeader([]), "203.0.113.7") == nil)
        #expect(try origin(.byHeader([]), "203.0.113.7", hops: 1) == "203.0.113.7")
    }

    @Test("R10.3 what a header says is kept in as few octets as a digest has, and two that differ are two")
    func long() throws {
        let counting = ClientCounting.byHeader(["X-Client"])
        func key(_ value: String) throws -> String? { try origin(counting, "172.18.0.2", ["X-Client": value]) }
        let name = String(repeating: "x", count: 64)
        #expect(try key(name) == name)
        let long = try #require(try key(name + "y"))
        #expect(long.utf8.count == 64 && long != name)
        #expect(try key(" \(name)y ,203.0.113.7") == long)
        #expect(try key(name + "z") != long)
        #expect(try key(String(repeating: "x", count: 16_000))?.utf8.count == 64)
    }
}
