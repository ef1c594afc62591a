// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// The parameters of a request, from its query or its form. One that is empty is not given, and none may be given twice
/// (RFC 6749, sections 3.1 and 3.2) but `resource` (RFC 8707, section 2) and `audience` (RFC 8693, section 2.1).
struct Parameters: Sendable {
    private static let repeatable: Set<String> = ["resource", "audience"]
    /// Up to which number to look along the names is cheaper than to hash them. Most requests have five.
    private static let few = 16

    /// As they came.
    let pairs: [(name: String, value: String)]
    /// Where the names are, where there are more than a few.
    private var places: [String: [Int]] = [:]

    init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
        guard pairs.count > Self.few else { return }
        for (place, pair) in pairs.enumerated() { places[pair.name, default: []].append(place) }
    }

    /// The parameter's value; `nil` where it is missing, empty, or given twice.
    subscript(name: String) -> String? {
        guard pairs.count <= Self.few else {
            guard let given = places[name], given.count == 1 else { return nil }
            let value = pairs[given[0]].value
            return value.isEmpty ? nil : value
        }
        var found: String?
        for pair in pairs where pair.name == name {
            guard found == nil else { return nil }
            found = pair.value
        }
        return found.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Every value of a parameter that may be repeated, empty ones left out.
    func all(_ name: String) -> [String] { values(name).filter { !$0.isEmpty } }

    /// The first in the alphabet of those that are given twice and may not be.
    var repeated: String? {
        let twice =
            pairs.count > Self.few
            ? places.filter { $1.count > 1 }.map(\.key)
            : pairs.indices.filter { place in pairs[..<place].contains { $0.name == pairs[place].name } }
                .map { pairs[$0].name }
        return twice.filter { !Self.repeatable.contains($0) }.min()
    }

    func isRepeated(_ name: String) -> Bool { values(name).count > 1 }

    private func values(_ name: String) -> [String] {
        pairs.count > Self.few
            ? (places[name] ?? []).map { pairs[$0].value } : pairs.filter { $0.name == name }.map(\.value)
    }

    /// Refuses a request that gives a parameter twice.
    ///
    /// - Throws: `invalid_request`.
    func requireSingle() throws(OAuthError) {
        if let name = repeated { throw .invalidRequest("\(OAuthError.name(name)) is given twice") }
    }

    /// The value of a parameter that must be there.
    ///
    /// - Throws: `invalid_request`.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else { throw .invalidRequest("\(name) is missing") }
        return value
    }

    /// The words of a list with spaces between them, each once and in their order.
    func words(_ name: String) -> [String] {
        // By octets: texts are compared by what Unicode calls the same, which a long row of marks makes dear.
        var seen: Set<[UInt8]> = []
        return (self[name] ?? "").utf8.split(separator: UInt8(ascii: " ")).filter { seen.insert(Array($0)).inserted }
            .map { String(Substring($0)) }
    }
}
