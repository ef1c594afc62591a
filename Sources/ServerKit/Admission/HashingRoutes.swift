// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Finds the operation that a request is for among those that have passwords hashed: by its text, since every request
/// is asked about.
struct HashingRoutes: Sendable {
    static let directoryPrefix = "/directories/"

    private var byPath: [Substring: [HashingRoute]] = [:]
    /// By what follows the Directory's name.
    private var byPathInDirectory: [Substring: [HashingRoute]] = [:]

    init(_ routes: [HashingRoute]) {
        for route in routes {
            if let rest = Self.afterDirectory(route.path[...]) {
                byPathInDirectory[rest, default: []].append(route)
            } else {
                byPath[route.path[...], default: []].append(route)
            }
        }
    }

    func route(of request: HTTPRequest) -> HashingRoute? {
        // Nothing that is only read hashes.
        guard request.method != .get else { return nil }
        let path = request.pathAlone
        let routes = byPath[path] ?? Self.afterDirectory(path).flatMap { byPathInDirectory[$0] }
        return routes?.first { route in
            guard route.method == request.method else { return false }
            guard let target = route.target else { return true }
            // By octets: to compare marks as text costs the square of their number.
            return request.headerFields[target.name]?.utf8.elementsEqual(target.value.utf8) == true
        }
    }

    /// What follows the Directory's name in a path below `/directories`.
    private static func afterDirectory(_ path: Substring) -> Substring? {
        guard path.hasPrefix(directoryPrefix) else { return nil }
        let rest = path.dropFirst(directoryPrefix.count)
        return rest.firstIndex(of: "/").map { rest[$0...] }
    }
}

extension HTTPRequest {
    /// The path as the router takes it: without the query, a slash at its end, and the server that some name before it
    /// (RFC 9112, section 3.2.2).
    var pathAlone: Substring {
        guard var path = path?[...] else { return "" }
        if let query = path.utf8.firstIndex(of: UInt8(ascii: "?")) { path = path[..<query] }
        if path.utf8.first != UInt8(ascii: "/"), let server = path.firstRange(of: "://") {
            let rest = path[server.upperBound...]
            path = rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...] } ?? "/"
        }
        return path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? path.dropLast() : path
    }
}
