// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// The sessions of a scripted cloud. Its refresh tokens rotate, and the last one is taken once more from whoever did
/// not get the answer, as the vendors do; any older one ends the session.
final class CloudSessions: Sendable {
    struct Session: Sendable {
        let user: String
        var refreshes = 0
    }

    private struct Inside: Sendable {
        var live: [Int: Session] = [:]
        var opened = 0
        var refreshes = 0
        var reused = 0
    }

    private let rotates: Bool
    private let inside = Guarded(Inside())

    init(rotates: Bool) {
        self.rotates = rotates
    }

    /// How many there have been, how many still live, how many refreshes were answered and how many of them ended a
    /// session.
    var opened: Int { inside.value.opened }
    var live: Int { inside.value.live.count }
    var refreshes: Int { inside.value.refreshes }
    var reused: Int { inside.value.reused }

    /// - Returns: the number of the new session, which stands in its tokens.
    func open(_ user: String) -> Int {
        inside.withLock { inside in
            inside.opened += 1
            inside.live[inside.opened] = Session(user: user)
            return inside.opened
        }
    }

    /// - Parameter token: `refresh.SESSION.NUMBER`.
    func refresh(_ token: String) -> (number: Int, session: Session)? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let number = Int(parts[1]), let count = Int(parts[2]) else { return nil }
        return inside.withLock { inside in
            guard var session = inside.live[number] else { return nil }
            if rotates {
                guard count == session.refreshes || count == session.refreshes - 1 else {
                    inside.reused += 1
                    inside.live[number] = nil
                    return nil
                }
                session.refreshes = count + 1
                inside.live[number] = session
            }
            inside.refreshes += 1
            return (number, session)
        }
    }

    func close(_ number: Int) { inside.withLock { _ = $0.live.removeValue(forKey: number) } }

    /// The session that a token is of, whichever of its tokens.
    func number(in token: some StringProtocol) -> Int? {
        token.split(separator: ".").dropFirst().first.flatMap { Int($0) }
    }

    func session(_ number: Int) -> Session? { inside.withLock { $0.live[number] } }
}

extension HTTPResponse {
    static func json(_ object: JSONObject, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [HTTPHeader("Content-Type", "application/json")], body: object.serialized())
    }
}
