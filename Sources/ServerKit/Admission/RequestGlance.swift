// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// A request as far as it can be judged at a glance: its query is read, its body is searched for words and not decoded.
///
/// A body that may say a thing counts as one that does: JSON with escapes in it, in which a word can be hidden, and a
/// word that stands elsewhere than where it counts. What it says in fact is decided by the operation.
struct RequestGlance {
    private let request: HTTPRequest
    private let body: [UInt8]?

    /// - Parameter body: `nil` where it has not come yet.
    init(_ request: HTTPRequest, body: [UInt8]?) {
        self.request = request
        self.body = body
    }

    /// Whether a condition may hold; `nil` where that is for the body to say, which has not come.
    func judge(_ condition: RouteCondition) -> Bool? {
        switch condition {
        case .query(let name, let values):
            let target = (request.path ?? "").utf8
            // Without a fragment, as the operation reads it: no client sends one, unless to be taken for another
            // request.
            let query = target.firstIndex(of: UInt8(ascii: "?"))
                .map { target[$0...].dropFirst().prefix { $0 != UInt8(ascii: "#") } }
            guard let query, let pairs = try? FormText.pairs(Array(query)) else { return false }
            return pairs.contains { $0.name == name && values.contains($0.value) }
        case .member(let name, let values):
            return body.map { body in says(name, in: body) && values.contains { says($0, in: body) } }
        case .anyMember(let names): return body.map { body in names.contains { says($0, in: body) } }
        // A Directory's own matter, which nobody has looked up.
        case .linkActsAtOnce: return true
        case .all(let conditions):
            let verdicts = conditions.map(judge)
            return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
        }
    }

    /// As JSON whatever the request calls it, since some dialects read nothing else.
    private func says(_ word: String, in body: [UInt8]) -> Bool {
        if Self.contains("\"\(word)\"", body) || Self.contains("\\u", body) { return true }
        guard isForm, let pairs = try? FormText.pairs(body) else { return false }
        return pairs.contains { $0.name == word || $0.value == word }
    }

    private var isForm: Bool {
        request.headerFields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    }

    /// Each place of the first octet is looked at: of a body that is short, and words of one line.
    private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
        let word = Array(text.utf8)
        guard let first = word.first else { return true }
        var rest = bytes[...]
        while let place = rest.firstIndex(of: first) {
            if rest[place...].starts(with: word) { return true }
            rest = rest[(place + 1)...]
        }
        return false
    }
}
