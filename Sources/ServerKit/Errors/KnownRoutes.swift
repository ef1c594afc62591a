// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// Which methods each path answers to, so that a wrong method is told from a wrong path (RFC 9110, section 15.5.6).
public final class KnownRoutes: Sendable {
    private struct Entry: Sendable {
        var segments: [Substring]
        var methods: [HTTPRequest.Method]
    }

    private let entries = Mutex<[Entry]>([])

    public init() {}

    /// - Parameter template: such as `/admin/users/{id}`.
    public func add(_ method: HTTPRequest.Method, _ template: String) {
        let segments = Self.segments(template)
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.segments == segments }) {
                if !entries[index].methods.contains(method) { entries[index].methods.append(method) }
            } else {
                entries.append(Entry(segments: segments, methods: [method]))
            }
        }
    }

    /// The methods that this path takes, each once; none where there is no such path.
    func methods(for path: String) -> [HTTPRequest.Method] {
        guard PlainPath.accepts(path) else { return [] }
        let wanted = Self.segments(path)
        let matching = entries.withLock { entries in
            entries.filter { entry in
                entry.segments.count == wanted.count
                    && zip(entry.segments, wanted).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
            }
        }
        // A template and a literal path can both match.
        return matching.flatMap(\.methods).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }
}
