// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// For desktops and command lines: the browser that the user has, and a redirect to this device (RFC 8252,
/// section 7.3).
///
/// It listens on 127.0.0.1 alone, from ``redirectURI(preferred:)`` until the redirect came that says the state which
/// the page was sent with, answers that with a plain page and everything else with 404. A refusal without that state is
/// among the rest: any page can have the browser ask for as much. Where a server refuses so, against RFC 6749,
/// section 4.1.2.1, the sign-in goes on until its user, or the time, ends it.
public actor LoopbackRedirect: WebAuthentication {
    private let clock: any ClientClock
    private let timeout: TimeSpan
    private let message: String
    private let open: @Sendable (String) async -> Bool
    private var waiting: (uri: String, host: String, path: String, socket: LoopbackSocket)?

    /// - Parameters:
    ///   - timeout: how long the user may take.
    ///   - message: what the browser shows in the end.
    ///   - open: sends the user's browser to an address, or shows the address to the user. `false` where neither can
    ///     be.
    public init(
        clock: any ClientClock, timeout: TimeSpan = .minutes(10), message: String = "You can go back to the app.",
        open: @escaping @Sendable (String) async -> Bool
    ) {
        self.clock = clock
        self.timeout = timeout
        self.message = message
        self.open = open
    }

    /// - Parameter preferred: `http://127.0.0.1/callback` or `http://localhost/callback`, for a server that wants that
    ///   name; with a port, where the server takes no other.
    public func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String {
        let scheme = "http://"
        let rest = preferred.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = String(rest.dropFirst(authority.count))
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard preferred.hasPrefix(scheme), let name = parts.first, name == "127.0.0.1" || name == "localhost",
            let wanted = parts.count == 1 ? 0 : parts.count == 2 ? UInt16(parts[1]) : nil,
            !path.contains(where: { "?# ".contains($0) })
        else { throw .unavailable(reason: "\(preferred) is no address of this device") }
        // One that nobody came back to gives its port up.
        waiting = nil
        guard let socket = LoopbackSocket.listening(on: wanted), let port = socket.port else {
            throw .unavailable(reason: wanted == 0 ? "no port is free" : "port \(wanted) is taken")
        }
        let host = "\(name):\(port)"
        let uri = scheme + host + path
        waiting = (uri, host, path.isEmpty ? "/" : path, socket)
        return uri
    }

    public func authenticate(
        at url: String, redirectingTo redirectURI: String, ephemeral: Bool
    ) async throws(WebAuthenticationError) -> String {
        guard let waiting, waiting.uri == redirectURI else {
            throw .unavailable(reason: "nothing listens at \(redirectURI)")
        }
        self.waiting = nil
        guard await open(url) else { throw .unavailable(reason: "no browser can be opened") }
        return try await "http://" + waiting.host
            + redirect(
                by: waiting.socket,
                LoopbackExchange(
                    host: waiting.host, path: waiting.path, state: Self.state(of: url, leadingTo: redirectURI)))
    }

    /// What the redirect will say, where the page is told to lead straight here. One that leads by way of another
    /// service has a state of that one's.
    private static func state(of url: String, leadingTo redirectURI: String) -> Secret<String>? {
        let query = url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        let fields = FormFields.decode(query) ?? []
        guard fields.contains(where: { $0.name == "redirect_uri" && $0.value == redirectURI }) else { return nil }
        return fields.first { $0.name == "state" }.map { Secret($0.value) }
    }

    /// How many may be connected at once: who connects and says nothing keeps nobody else out for long.
    private static let connections = 16

    private func redirect(
        by socket: LoopbackSocket, _ fresh: LoopbackExchange
    ) async throws(WebAuthenticationError) -> String {
        let end = clock.uptime + timeout
        var open: [(socket: LoopbackSocket, exchange: LoopbackExchange)] = []
        while clock.uptime < end {
            // No more at a time, so that each is heard once, and whoever connects without end stops neither the time
            // nor a caller who gives up.
            for _ in 0..<Self.connections {
                guard let connection = socket.accepted() else { break }
                if open.count == Self.connections { open.removeFirst() }
                open.append((connection, fresh))
            }
            for place in open.indices.reversed() {
                switch open[place].socket.received().map({ open[place].exchange.take($0) }) {
                case .incomplete: break
                case .redirect(let target):
                    open[place].socket.send(LoopbackExchange.page(message))
                    return target
                case .refused:
                    open[place].socket.send(LoopbackExchange.notFound)
                    open.remove(at: place)
                case nil: open.remove(at: place)
                }
            }
            do {
                try await clock.wait(.milliseconds(20))
            } catch {
                throw .cancelled
            }
        }
        throw .timedOut
    }
}
