// SPDX-License-Identifier: Apache-2.0

/// Where a service is: scheme, host and port (RFC 6454, section 4). A token goes there and nowhere else.
public struct ServiceOrigin: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case.
    public let host: String
    /// The scheme's own where the address says none.
    public let port: Int

    /// - Parameter url: absolute, `http` or `https`. `nil` for anything else, for user information, and for characters
    ///   that readers of addresses disagree about.
    public init?(of url: String) {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            let end = url.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = url[..<end].lowercased()
        guard scheme == "http" || scheme == "https", url[end...].hasPrefix("://") else { return nil }
        let authority = url[end...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("%") else { return nil }
        var host = authority.lowercased()
        var port: String?
        if host.hasPrefix("[") {
            guard let close = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : String(rest.dropFirst())
            host = String(host[...close])
        } else if let colon = host.firstIndex(of: ":") {
            port = String(host[host.index(after: colon)...])
            host = String(host[..<colon])
        }
        guard !host.isEmpty else { return nil }
        if let port {
            guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
                (1...65535).contains(number)
            else { return nil }
            self.port = number
        } else {
            self.port = scheme == "https" ? 443 : 80
        }
        self.scheme = scheme
        self.host = host
    }

    /// Whether what goes there can be read by nobody on the way: encrypted, or not leaving the device (F-8).
    public var isSecure: Bool { scheme == "https" || isLoopback }

    private var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // 127.0.0.0/8 as four decimal numbers, and no other way of writing it (RFC 1122, section 3.2.1.3).
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && (String(UInt8($0) ?? 0) == $0) }
    }
}
