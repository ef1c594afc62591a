// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerKit

@Suite("Connections of one client")
struct ClientConnectionsTests {
    private let log = LogCapture()
    private let metrics = MetricsRegistry()

    private func connections(_ limit: Int) -> ClientConnections {
        ClientConnections(limit: limit, metrics: metrics, logger: log.json())
    }

    private func client(_ text: String) throws -> ClientAddress { try #require(ClientAddress(text)) }

    @Test("R8.4 a client has as many as it may, whatever others have, and one more for each that ends")
    func limit() throws {
        let connections = connections(3)
        let (first, second) = (try client("192.0.2.1"), try client("192.0.2.2"))
        #expect((0..<10).map { _ in connections.open(first) }.filter { $0 }.count == 3)
        #expect(connections.open(second))
        connections.close(first)
        #expect(connections.open(first))
        #expect(!connections.open(first))
    }

    @Test("R8.4 all of a subscriber's IPv6 addresses are one client")
    func subscriber() throws {
        let connections = connections(2)
        #expect(try connections.open(client("2001:db8::1")))
        #expect(try connections.open(client("2001:db8::2:3:4")))
        #expect(try !connections.open(client("2001:db8::ffff")))
        #expect(try connections.open(client("2001:db8:0:1::1")))
    }

    @Test("R8.4 who has none is forgotten: a table of clients does not grow with those that were here")
    func forgotten() throws {
        let connections = connections(2)
        for number in 0..<300 {
            let address = try client("192.0.\(number / 250).\(number % 250)")
            #expect(connections.open(address))
            connections.close(address)
        }
        #expect(connections.clients == 0)
    }

    @Test("R8.4 refusals are all counted, and told once until the client has let go")
    func told() throws {
        let connections = connections(1)
        let address = try client("192.0.2.77")
        #expect(connections.open(address))
        for _ in 0..<20 { #expect(!connections.open(address)) }
        #expect(log.lines.count == 1)
        #expect(log.text.contains("client_connections") && log.text.contains("192.0.2.0"))
        #expect(!log.text.contains("192.0.2.77"))
        #expect(metrics.text().contains("latchkey_connections_refused_total{reason=\"client\"} 20"))
        connections.close(address)
        #expect(connections.open(address) && !connections.open(address))
        #expect(log.lines.count == 2)
    }
}
