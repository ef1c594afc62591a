// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// Octets of one field that are looked through; a longer one has no cookies.
    private static var mostCookieOctets: Int { 16 << 10 }

    /// The values that the request's cookies have by a name (RFC 6265, section 4.2.1), in their order: browsers send several
    /// of one name where several places have set it. Read by octets, so that the work grows with what was sent and no faster.
    public func cookies(named name: String) -> [String] {
        var found: [String] = []
        for field in self[values: .cookie] where field.utf8.count <= Self.mostCookieOctets {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard let mark = pair.firstIndex(of: UInt8(ascii: "=")), pair[..<mark].elementsEqual(name.utf8)
                else { continue }
                found.append(String(Substring(pair[pair.index(after: mark)...])))
            }
        }
        return found
    }
}
