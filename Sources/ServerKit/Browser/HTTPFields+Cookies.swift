// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// Octets of one field that are looked through; a longer one has no cookies.
    private static var mostCookieOctets: Int { 16 << 10 }

    /// The values that the request's cookies have by a name (RFC 6265, section 4.2.1), in their order: browsers send
    /// several of one name where several places have set it. Read by octets, so that the work grows with what was sent
    /// and no faster.
    public func cookies(named name: String) -> [String] {
        var found: [String] = []
        guard contains(.cookie) else { return found }
        let name = Array(name.utf8)
        for field in self[values: .cookie] where field.utf8.count <= Self.mostCookieOctets {
            var rest = Array(field.utf8)[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
                let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
                rest = rest[Swift.min(end + 1, rest.endIndex)...]
                let value = pair.dropFirst(name.count)
                guard value.first == UInt8(ascii: "="), pair.starts(with: name) else { continue }
                found.append(String(decoding: value.dropFirst(), as: UTF8.self))
            }
        }
        return found
    }
}
