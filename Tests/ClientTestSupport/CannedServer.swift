// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Foundation

/// A socket on the loopback address that reads one request for each of its answers, and answers with those bytes as they are.
public final class CannedServer: Sendable {
    public let port: Int
    private let socket: Int32
    private let asked = Guarded<[String]>([])

    /// What was asked, whole requests as text.
    public var requests: [String] { asked.value }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter answers: one for each connection, in order.
    public init(_ answers: [String]) throws {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let listening = Foundation.socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(listening, plain, size) == 0 && listen(listening, 16) == 0
                    && getsockname(listening, plain, &size) == 0
            }
        }
        guard bound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        socket = listening
        port = Int(UInt16(bigEndian: address.sin_port))
        let asked = asked
        Thread.detachNewThread {
            for answer in answers {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { return }
                asked.withLock { $0.append("") }
                var text = ""
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while !text.contains("\r\n\r\n") {
                    let count = read(connection, &buffer, buffer.count)
                    guard count > 0 else { break }
                    text += String(decoding: buffer[..<count], as: UTF8.self)
                }
                let request = text
                asked.withLock { $0[$0.count - 1] = request }
                let bytes = Array(answer.utf8)
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    sent += count
                }
                close(connection)
            }
        }
    }

    deinit { close(socket) }
}
