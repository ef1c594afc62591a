// SPDX-License-Identifier: Apache-2.0

import NIOHTTPTypes

/// Parts of requests in the order in which they came, of which the first are taken.
struct WaitingParts {
    private var parts: [HTTPRequestPart?] = []
    private var first = 0

    var isEmpty: Bool { first == parts.count }
    /// The next to be taken.
    var next: HTTPRequestPart? { first < parts.count ? parts[first] : nil }

    mutating func append(_ part: HTTPRequestPart) { parts.append(part) }

    mutating func removeFirst() -> HTTPRequestPart? {
        guard first < parts.count else { return nil }
        let part = parts[first]
        parts[first] = nil
        first += 1
        if first == parts.count { self = WaitingParts() }
        return part
    }
}
