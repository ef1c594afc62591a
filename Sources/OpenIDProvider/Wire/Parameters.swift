// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

/// The parameters of a request, from its query or its form. One that is empty is not given, and none may be given twice
/// (RFC 6749, sections 3.1 and 3.2) but `resource` (RFC 8707, section 2) and `audience` (RFC 8693, section 2.1).
struct Parameters: Sendable {
    private static let repeatable: Set<String> = ["resource", "audience"]

    /// As they came.
    let pairs: [(name: String, value: String)]
    private var values: [String: [String]] = [:]

    init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
        for (name, value) in pairs { values[name, default: []].append(value) }
    }

    /// The parameter's value; `nil` where it is missing, empty, or given twice.
    subscript(name: String) -> String? {
        guard let given = values[name], given.count == 1, let value = given.first, !value.isEmpty else { return nil }
        return value
    }

    /// Every value of a parameter that may be repeated, empty ones left out.
    func all(_ name: String) -> [String] { (values[name] ?? []).filter { !$0.isEmpty } }

    /// The first in the alphabet of those that are given twice and may not be.
    var repeated: String? {
        values.filter { $1.count > 1 && !Self.repeatable.contains($0) }.keys.min()
    }

    func isRepeated(_ name: String) -> Bool { (values[name]?.count ?? 0) > 1 }

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
