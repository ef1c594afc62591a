// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where things are in a checkout that is being tested.
enum Paths {
    /// The executable that was built together with these tests.
    static let latchkey: URL = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("latchkey")
    }()

    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let clients = package.appendingPathComponent("Tests/LatchkeyTests/Clients")

    /// The Python with the third-party clients, installed by `scripts/setup --tests`.
    static let python = package.appendingPathComponent(".build-clients/bin/python")

    static func temporaryDirectory() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// A TCP port that was free a moment ago, of those that the system gives to nobody who asks for any.
    static func freePort() throws -> Int {
        for port in (20_000..<30_000).shuffled() where isFree(port) { return port }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, streamSocket, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    #if canImport(Glibc)
        private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamSocket = SOCK_STREAM
    #endif
}
