// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ServerKit

@Suite("The client's address")
struct ClientAddressTests {
    @Test(
        "an address is read with its port, brackets, zone and blanks, and written one way",
        arguments: [
            ("192.0.2.33", "192.0.2.33"),
            ("192.0.2.33:65000", "192.0.2.33"),
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), (" 10.0.0.1", "10.0.0.1"),
            (" \t192.0.2.33 ", "192.0.2.33"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"),
            ("2001:DB8::6", "2001:db8:0:0:0:0:0:6"),
            ("[2001:db8::6]", "2001:db8:0:0:0:0:0:6"),
            ("[2001:db8::6]:443", "2001:db8:0:0:0:0:0:6"),
            ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"),
            ("::ffff:192.0.2.33", "192.0.2.33"),
            ("::FFFF:c000:221", "192.0.2.33"),
        ])
    func reads(written: String, text: String) {
        #expect(ClientAddress(written)?.text == text)
    }

    @Test(
        "R50 what is not an address is none, whatever it looks like",
        arguments: [
            "", " ", "a", "unknown", "_hidden", "localhost", "example.com", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1",
            "0x7f.0.0.1", "010.1.1.1", "1.2.3.04", "00.1.2.3", "1..2.3", ".1.2.3", "1.2.3.", "1.2.3.0256", "1.2.3.1000",
            "1. 2.3.4", "1.2.3.256", "1.2.3.4:", "1.2.3.4:x", "1.2.3.4:123456", "1.2.3.4%eth0", "1.2.3.4/24",
            "1.2.3.4, 5.6.7.8", "[::1", "::1]", "[::1]x", "[::1]:", "[::1]:x", "::g", ":::", "1:2:3:4:5:6:7:8:9",
            "1.2.3.4\u{0}", "1.2.3.4\u{0}.evil", "1.2.3.4\n", "1.2.3.4\r\nX: y", "１.2.3.4", "%eth0",
            String(repeating: "1", count: 1 << 20), String(repeating: " ", count: 64) + "1.2.3.4",
        ])
    func refuses(written: String) {
        #expect(ClientAddress(written) == nil)
    }

    @Test("an IPv4 address is stored as its /24 and counted whole")
    func truncatesIPv4() throws {
        let address = try #require(ClientAddress("203.0.113.77"))
        #expect(address.truncated == "203.0.113.0")
        #expect(address.limitKey == "203.0.113.77")
    }

    @Test("an IPv6 address is stored as its /48 and counted by its /64, which one subscriber has")
    func truncatesIPv6() throws {
        let address = try #require(ClientAddress("2001:db8:aaaa:bbbb:1:2:3:4"))
        #expect(address.truncated == "2001:db8:aaaa::")
        #expect(address.limitKey == "2001:db8:aaaa:bbbb::")
        #expect(ClientAddress("2001:db8:aaaa:bbbb:ffff::")?.limitKey == address.limitKey)
        #expect(ClientAddress("2001:db8:aaaa:bbbc::")?.limitKey != address.limitKey)
    }

    @Test("an address that is unknown is stored as nothing")
    func unknown() {
        #expect(ClientAddress.unknown.truncated == nil)
        #expect(ClientAddress.unknown.text == "unknown")
    }

    @Test("the peer's address is that of its socket")
    func socket() throws {
        #expect(ClientAddress(try SocketAddress(ipAddress: "::1", port: 9))?.text == "0:0:0:0:0:0:0:1")
        #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/tmp/socket")) == nil)
    }
}

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private let peer = "10.0.0.1"

    private func client(_ hops: Int, _ values: [String]) throws -> String {
        TrustedProxies(hops: hops).client(peer: try #require(ClientAddress(peer)), forwardedFor: values).text
    }

    @Test("R59 without a proxy X-Forwarded-For says nothing")
    func noProxy() throws {
        #expect(try client(0, ["192.0.2.1"]) == peer)
        #expect(try client(-1, ["192.0.2.1"]) == peer)
    }

    @Test("R59 behind one proxy only the last entry counts; what the client wrote before it does not")
    func oneProxy() throws {
        #expect(try client(1, ["192.0.2.1"]) == "192.0.2.1")
        #expect(try client(1, ["198.51.100.9, 192.0.2.1"]) == "192.0.2.1")
        #expect(try client(1, ["198.51.100.9", "192.0.2.1"]) == "192.0.2.1")
        #expect(try client(1, ["127.0.0.1,::1,192.0.2.1:4711"]) == "192.0.2.1")
    }

    @Test("R59 behind two proxies the last entry but one counts, however the lines are cut")
    func twoProxies() throws {
        #expect(try client(2, ["192.0.2.1, 10.9.9.9"]) == "192.0.2.1")
        #expect(try client(2, ["198.51.100.9, 192.0.2.1", "10.9.9.9"]) == "192.0.2.1")
        #expect(try client(2, ["198.51.100.9", "2001:db8::1", "10.9.9.9"]) == "2001:db8:0:0:0:0:0:1")
    }

    @Test("fewer entries than proxies leave the peer: the request did not come through all of them")
    func tooFew() throws {
        #expect(try client(1, []) == peer)
        #expect(try client(2, ["192.0.2.1"]) == peer)
        #expect(try client(Int.max, ["192.0.2.1, 192.0.2.2"]) == peer)
    }

    @Test("R50 an entry of a proxy that is no address leaves the peer", arguments: ["a", "", "unknown", "1.2.3.4,"])
    func garbage(value: String) throws {
        #expect(try client(1, [value]) == peer)
    }

    @Test("R50 R59 no length of what the client wrote hides what the proxy wrote")
    func tooMany() throws {
        let forged = Array(repeating: "198.51.100.9", count: 20_000).joined(separator: ",")
        #expect(try client(1, [forged + ", 192.0.2.1"]) == "192.0.2.1")
        #expect(try client(1, [String(repeating: "x", count: 1 << 20), "192.0.2.1"]) == "192.0.2.1")
        #expect(try client(1, [String(repeating: ",", count: 1 << 20) + "192.0.2.1"]) == "192.0.2.1")
    }
}
