// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A stream socket on the loopback address. Its calls block: for a thread of one's own.
public struct LoopbackConnection: Sendable {
    private let file: Int32

    private static func open() throws -> Int32 {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let file = socket(AF_INET, stream, 0)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return file
    }

    private static func withAddress(
        _ port: Int, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
    ) -> Int? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isDone = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
        }
        return isDone ? Int(in_port_t(bigEndian: address.sin_port)) : nil
    }

    /// One that others connect to, and its port.
    static func listening(on wanted: Int = 0) throws -> (LoopbackConnection, port: Int) {
        let file = try open()
        let port = withAddress(wanted) { address, size in
            bind(file, address, size) == 0 && listen(file, 128) == 0 && getsockname(file, address, &size) == 0
        }
        guard let port else {
            let reason = errno
            Foundation.close(file)
            throw POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO)
        }
        return (LoopbackConnection(file: file), port)
    }

    /// A free port for a server that is started again and again on it: below those that systems give to whoever asks
    /// for any (Linux from 32768 on), of which each connection of a test beside it takes one.
    static func keptPort() throws -> Int {
        for _ in 0..<100 {
            guard let (other, port) = try? listening(on: .random(in: 10_000..<32_000)) else { continue }
            other.close()
            return port
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// `nil` where nobody listens.
    public init?(to port: Int) {
        guard let file = try? Self.open() else { return nil }
        guard Self.withAddress(port, { address, size in connect(file, address, size) == 0 }) != nil else {
            Foundation.close(file)
            return nil
        }
        self.init(file: file)
        wait(atMost: 30)
    }

    private init(file: Int32) {
        self.file = file
    }

    /// The next who connects. `nil` once it is stopped.
    func accept() -> LoopbackConnection? {
        let connection = Foundation.accept(file, nil, nil)
        guard connection >= 0 else { return nil }
        let accepted = LoopbackConnection(file: connection)
        accepted.wait(atMost: 3)
        return accepted
    }

    /// How many seconds nothing may come before the other side counts as silent.
    private func wait(atMost seconds: Int) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    /// What comes next: nothing at the end, where it breaks, and where the other side is silent.
    func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(file, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Everything up to the end.
    func receiveAll() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = receive()
            guard !next.isEmpty else { return bytes }
            bytes += next
        }
    }

    public func send(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Says that nothing more comes from here; the other direction stays open.
    func finishSending() { shutdown(file, Int32(SHUT_WR)) }

    public func close() { Foundation.close(file) }

    /// Wakes up whoever waits on it: nothing more comes, and nobody more connects.
    func finish() { shutdown(file, Int32(SHUT_RDWR)) }

    /// Breaks it off, so that the other side is told so.
    func reset() {
        var broken = linger(l_onoff: 1, l_linger: 0)
        setsockopt(file, SOL_SOCKET, SO_LINGER, &broken, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}
