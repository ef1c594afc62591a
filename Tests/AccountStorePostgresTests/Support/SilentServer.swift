// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Takes connections, as the system does for whoever listens, and never says anything.
struct SilentServer {
    struct Failure: Error {
        let code = errno
    }

    private let socket: CInt
    let port: UInt16

    init() throws {
        #if canImport(Glibc)
            let kind = CInt(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        #if canImport(Glibc)
            let descriptor = Glibc.socket(AF_INET, kind, 0)
        #else
            let descriptor = Darwin.socket(AF_INET, kind, 0)
        #endif
        let isListening = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard descriptor >= 0, isListening else { throw Failure() }
        socket = descriptor
        port = UInt16(bigEndian: place.sin_port)
    }

    /// Who waits for an answer is told that there is none.
    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(socket)
        #else
            _ = Darwin.close(socket)
        #endif
    }
}
