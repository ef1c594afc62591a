// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Foundation

/// A socket on the loopback address that reads one request for each of its answers, and answers with those bytes as they are.
public final class CannedServer: Sendable {
    public let port: Int
    private let listening: LoopbackConnection
    private let asked = Guarded<[String]>([])

    /// What was asked, whole requests as text.
    public var requests: [String] { asked.value }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter answers: one for each connection, in order.
    public init(_ answers: [String]) throws {
        let (listening, port) = try LoopbackConnection.listening()
        (self.listening, self.port) = (listening, port)
        let asked = asked
        Thread.detachNewThread {
            for answer in answers {
                guard let connection = listening.accept() else { return }
                asked.withLock { $0.append("") }
                var text = ""
                while !text.contains("\r\n\r\n") {
                    let bytes = connection.receive()
                    guard !bytes.isEmpty else { break }
                    text += String(decoding: bytes, as: UTF8.self)
                }
                let request = text
                asked.withLock { $0[$0.count - 1] = request }
                connection.send(answer.utf8)
                connection.close()
            }
        }
    }

    deinit { listening.stop() }
}
