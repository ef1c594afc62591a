// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Foundation

/// A socket on the loopback address that reads one request for each of its answers, and answers with those bytes as
/// they are.
public final class CannedServer: Sendable {
    public let port: Int
    private let listening: LoopbackConnection
    private let asked = Guarded<[String]>([])
    /// Whether the listening socket's number is free: it may be another's from then on.
    private let isOver = Guarded(false)

    /// What was asked, whole requests as text.
    public var requests: [String] { asked.value }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter answers: one for each connection, in order.
    public convenience init(_ answers: [String]) throws {
        try self.init(connections: answers.map { [Array($0.utf8)] })
    }

    /// - Parameters:
    ///   - connections: for each, in order, what answers the requests that come on it one after the other.
    ///   - staysOpen: after its last answer a connection is not ended, but kept until its client ends it.
    public init(connections: [[[UInt8]]], staysOpen: Bool = false) throws {
        let (listening, port) = try LoopbackConnection.listening()
        (self.listening, self.port) = (listening, port)
        let (asked, isOver) = (asked, isOver)
        Thread.detachNewThread {
            defer {
                isOver.withLock { isOver in
                    isOver = true
                    listening.close()
                }
            }
            for answers in connections {
                guard let connection = listening.accept() else { return }
                let first = asked.withLock { asked in
                    asked.append("")
                    return asked.count - 1
                }
                Thread.detachNewThread {
                    for (number, answer) in answers.enumerated() {
                        let request = Self.request(on: connection)
                        // The client has ended a connection that it kept.
                        guard number == 0 || !request.isEmpty else { break }
                        asked.withLock { asked in
                            if number == 0 { asked[first] = request } else { asked.append(request) }
                        }
                        connection.send(answer)
                    }
                    if staysOpen { _ = connection.receiveAll() }
                    connection.close()
                }
            }
        }
    }

    private static func request(on connection: LoopbackConnection) -> String {
        var text = ""
        while !text.contains("\r\n\r\n") {
            let bytes = connection.receive()
            guard !bytes.isEmpty else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// Wakes the thread up, which alone closes the socket: closed from here, its number would be taken again, and the
    /// thread would take the connections of whoever has it.
    deinit { isOver.withLock { isOver in if !isOver { listening.finish() } } }
}
