// SPDX-License-Identifier: Apache-2.0

/// A URL as two are compared that a proof and its request name (RFC 9449, section 4.3, item 9): without query and
/// fragment, in the one form that RFC 3986 has for it (sections 6.2.2 and 6.2.3).
struct ProofTarget: Equatable {
    private static let maximumLength = 4096

    private let scheme: String
    private let authority: String
    private let path: [UInt8]

    /// `nil` for what is no URL of a web server, and for one of more than 4 KiB.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (33...126).contains($0) }),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        scheme = text[..<colon].lowercased()
        let rest = text[text.utf8.index(after: colon)...]
        guard scheme == "https" || scheme == "http", rest.hasPrefix("//") else { return nil }
        let place = rest.dropFirst(2).prefix { $0 != "?" && $0 != "#" }
        let end = place.firstIndex(of: "/") ?? place.endIndex
        guard let authority = Self.authority(place[..<end].lowercased(), scheme) else { return nil }
        self.authority = authority
        path = Self.withoutDots(Self.decoded(Array(place[end...].utf8)))
    }

    /// Host and port, without one that the scheme has anyway.
    private static func authority(_ text: String, _ scheme: String) -> String? {
        guard !text.isEmpty, !text.contains("@") else { return nil }
        for port in [scheme == "https" ? ":443" : ":80", ":"] where text.hasSuffix(port) {
            let host = text.dropLast(port.count)
            // An address of IPv6 is in brackets, so that none ends so.
            return host.isEmpty ? nil : String(host)
        }
        return text
    }

    /// Percent-encoded octets that need not be are not, and all others are in capitals.
    private static func decoded(_ path: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(path.count)
        var place = 0
        while place < path.count {
            guard path[place] == UInt8(ascii: "%"), place + 2 < path.count, let high = digit(path[place + 1]),
                let low = digit(path[place + 2])
            else {
                out.append(path[place])
                place += 1
                continue
            }
            let octet = high << 4 | low
            if isUnreserved(octet) {
                out.append(octet)
            } else {
                out += [UInt8(ascii: "%"), capital(high), capital(low)]
            }
            place += 3
        }
        return out
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, part) in zip(parts.indices, parts) {
            let isLast = index == parts.indices.last
            switch part {
            case [UInt8(ascii: ".")]: if isLast { segments.append([]) }
            case [UInt8(ascii: "."), UInt8(ascii: ".")]:
                _ = segments.popLast()
                if isLast { segments.append([]) }
            default: segments.append(part)
            }
        }
        return segments.isEmpty ? [UInt8(ascii: "/")] : segments.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    private static func capital(_ digit: UInt8) -> UInt8 { digit < 10 ? digit + 48 : digit + 55 }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
