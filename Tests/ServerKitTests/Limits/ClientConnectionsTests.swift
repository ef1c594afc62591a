// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerKit

@Suite("Connections of one client")
struct ClientConnectionsTests {
    private let log = LogCapture()
    private let metrics = MetricsRegistry()

    private func connections(_ limit: Int, ofClient: Int = .max) -> ClientConnections {
        ClientConnections(limit: limit, limitOfClient: ofClient, metrics: metrics, logger: log.json())
    }

    /// One connection of a client's.
    private final class Connection {
        let channel = EmbeddedChannel()

        init(_ address: String, to connections: ClientConnections) throws {
            let peer = try SocketAddress(ipAddress: address, port: 1)
            channel.remoteAddress = peer
            try channel.pipeline.syncOperations.addHandler(ClientConnection(connections))
            try channel.connect(to: peer).wait()
        }

        deinit { close() }

        var isOpen: Bool { channel.isActive }

        func ask() throws {
            try channel.writeInbound(
                HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")))
        }

        func answer() throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    private func connect(_ address: String, to connections: ClientConnections) throws -> Connection {
        try Connection(address, to: connections)
    }

    @Test("R8.4 a client has as many as it may, whatever others have: for one more its longest rest is over")
    func limit() throws {
        let connections = connections(100, ofClient: 2)
        let first = try connect("192.0.2.1", to: connections)
        let second = try connect("192.0.2.1", to: connections)
        let other = try connect("192.0.2.2", to: connections)
        // The first was at work since, and rests for less time than the second.
        try first.ask()
        try first.answer()
        let third = try connect("192.0.2.1", to: connections)
        #expect(first.isOpen && !second.isOpen && third.isOpen && other.isOpen)
        third.close()
        let fourth = try connect("192.0.2.1", to: connections)
        #expect(first.isOpen && fourth.isOpen)
        #expect(metrics.text().contains("latchkey_connections_given_up_total{for=\"client\"} 1"))
    }

    @Test("R8.4 what is asked is answered: where all of a client's are at work, the newcomer goes")
    func atWork() throws {
        let connections = connections(100, ofClient: 2)
        let busy = try (0..<2).map { _ in try connect("192.0.2.1", to: connections) }
        for channel in busy { try channel.ask() }
        #expect(try !connect("192.0.2.1", to: connections).isOpen)
        #expect(busy.allSatisfy { $0.isOpen })
        #expect(metrics.text().contains("latchkey_connections_refused_total{reason=\"client\"} 1"))
        try busy[1].answer()
        #expect(try connect("192.0.2.1", to: connections).isOpen)
        #expect(busy[0].isOpen && !busy[1].isOpen)
    }

    @Test("R8.4 when there are as many as there may be, the longest rest of all is over for a newcomer")
    func all() throws {
        let connections = connections(3)
        let first = try (1...3).map { try connect("192.0.2.\($0)", to: connections) }
        try first[0].ask()
        let newcomer = try connect("192.0.2.9", to: connections)
        #expect(first[0].isOpen && !first[1].isOpen && first[2].isOpen && newcomer.isOpen)
        // What it sends after that reaches nobody: it may be sent again elsewhere.
        #expect(metrics.text().contains("latchkey_connections_given_up_total{for=\"all\"} 1"))
        for channel in [first[2], newcomer] { try channel.ask() }
        // All are at work: the newcomer is let in, and the next waits in the kernel.
        #expect(try connect("192.0.2.10", to: connections).isOpen)
    }

    @Test("R8.4 all of a subscriber's IPv6 addresses are one client")
    func subscriber() throws {
        let connections = connections(100, ofClient: 2)
        let first = try connect("2001:db8::1", to: connections)
        let second = try connect("2001:db8::2:3:4", to: connections)
        #expect(try connect("2001:db8:0:1::1", to: connections).isOpen)
        #expect(first.isOpen && second.isOpen)
        #expect(try connect("2001:db8::ffff", to: connections).isOpen)
        #expect(!first.isOpen && second.isOpen)
    }

    @Test("R8.4 who has none is forgotten: a table of clients does not grow with those that were here")
    func forgotten() throws {
        let connections = connections(2, ofClient: 2)
        for number in 0..<300 {
            try connect("192.0.\(number / 250).\(number % 250)", to: connections).close()
        }
        #expect(connections.clients == 0)
    }

    @Test("R8.4 what gives way is all counted, and told once until the client has let go")
    func told() throws {
        let connections = connections(100, ofClient: 1)
        var last = try connect("192.0.2.77", to: connections)
        for _ in 0..<20 { last = try connect("192.0.2.77", to: connections) }
        #expect(log.lines.count == 1)
        #expect(log.text.contains("client_connections") && log.text.contains("192.0.2.0"))
        #expect(!log.text.contains("192.0.2.77"))
        #expect(metrics.text().contains("latchkey_connections_given_up_total{for=\"client\"} 20"))
        last.close()
        last = try connect("192.0.2.77", to: connections)
        last = try connect("192.0.2.77", to: connections)
        #expect(log.lines.count == 2)
    }

    @Test("R8.4 the order of rest is that of the last answers, however connections come, work and go")
    func order() {
        var table = ConnectionTable(limit: 4, limitOfClient: .max)
        var resting: [Int] = []
        var working: [Int] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let expected = resting.count + working.count >= 4 ? resting.first : nil
                switch table.open("client\(Int.random(in: 0..<3, using: &random))") {
                case .open(let place):
                    #expect(expected == nil)
                    resting.append(place)
                case .inPlaceOf(let given, let place, let reason):
                    #expect(given == expected && reason == .all)
                    resting.removeFirst()
                    resting.append(place)
                    let goesOn = table.work(given)
                    #expect(!goesOn)
                    table.close(given)
                case .refused: Issue.record("nobody has a limit")
                }
            case 1:
                guard let place = resting.randomElement(using: &random) else { continue }
                let goesOn = table.work(place)
                #expect(goesOn)
                resting.removeAll { $0 == place }
                working.append(place)
            case 2:
                guard let place = working.popLast() else { continue }
                table.rest(place)
                resting.append(place)
            default:
                guard let place = (resting + working).randomElement(using: &random) else { continue }
                table.close(place)
                resting.removeAll { $0 == place }
                working.removeAll { $0 == place }
            }
            #expect(table.count == resting.count + working.count)
        }
    }
}
