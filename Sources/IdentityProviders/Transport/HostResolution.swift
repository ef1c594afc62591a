// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// Finds the addresses of a host. The system's resolver holds a thread until it has an answer, which may be half a
/// minute, so that each name is asked for by one thread at a time: one that nobody answers for costs one thread,
/// however many wait for it. Whoever is cancelled waits no longer.
///
/// The threads are its own, and never those that the rest of the program runs on: of these there is one a core, on
/// Linux in Dispatch's global queues too. Nor may the names of one domain have all of them, so that whoever's name
/// servers hang takes nobody else's providers along.
final class HostResolution: Sendable {
    /// Names that are asked for at once.
    struct Bounds: Sendable {
        var all = 256
        /// Of one domain: names that end in the same two labels.
        var domain = 32
    }

    private typealias Waiter = CheckedContinuation<[String], Never>

    private struct State {
        /// By name, those who wait for it; a name without any is still asked for.
        var underWay: [String: [Int: Waiter]] = [:]
        /// Those who were cancelled before they waited.
        var gone: Set<Int> = []
        var latest = 0
    }

    /// A resolver needs a few dozen kilobytes of it.
    private static let stackSize = 512 << 10

    private let bounds: Bounds
    private let lookUp: @Sendable (String) -> [String]
    private let state = Mutex(State())

    /// - Parameter lookUp: the addresses of a name as text; may take its time.
    init(bounds: Bounds = Bounds(), lookUp: @escaping @Sendable (String) -> [String] = HostResolution.ask) {
        self.bounds = bounds
        self.lookUp = lookUp
    }

    /// The addresses of `host`, each once and in the order that the system prefers (RFC 6724); none when it has none,
    /// and when too many others are asked for. An address is its own.
    func addresses(of host: String) async -> [String] {
        if PublicAddress.octets(host) != nil { return [host] }
        let number = state.withLock { state in
            state.latest += 1
            return state.latest
        }
        defer { state.withLock { _ = $0.gone.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(for: host, number, $0) }
        } onCancel: {
            let waiter = state.withLock { state in
                if let waiter = state.underWay[host]?.removeValue(forKey: number) { return Optional(waiter) }
                state.gone.insert(number)
                return nil
            }
            waiter?.resume(returning: [])
        }
    }

    /// How many wait for it now.
    func waiting(for host: String) -> Int { state.withLock { $0.underWay[host]?.count ?? 0 } }

    private func wait(for host: String, _ number: Int, _ waiter: Waiter) {
        enum Turn { case gone, first, next }
        let turn = state.withLock { state in
            guard !state.gone.contains(number) else { return Turn.gone }
            let isFirst = state.underWay[host] == nil
            guard !isFirst || hasRoom(for: host, beside: state.underWay.keys) else { return .gone }
            state.underWay[host, default: [:]][number] = waiter
            return isFirst ? .first : .next
        }
        switch turn {
        case .gone: waiter.resume(returning: [])
        case .next: break
        case .first: begin(host)
        }
    }

    private func hasRoom(for host: String, beside others: some Collection<String>) -> Bool {
        let domain = Self.domain(of: host)
        return others.count < bounds.all && others.count { Self.domain(of: $0) == domain } < bounds.domain
    }

    private static func domain(of host: String) -> ArraySlice<Substring> { host.split(separator: ".").suffix(2) }

    private func begin(_ host: String) {
        let thread = Thread { [self] in
            let addresses = lookUp(host)
            let waiters = state.withLock { $0.underWay.removeValue(forKey: host) ?? [:] }
            for waiter in waiters.values { waiter.resume(returning: addresses) }
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    static func ask(_ host: String) -> [String] {
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [String] = []
        // Whoever answers for a name may give it thousands.
        var known: Set<String> = []
        // One for each kind of socket.
        for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
            guard let text = text(of: entry.pointee), known.insert(text).inserted else { continue }
            addresses.append(text)
        }
        return addresses
    }

    private static func text(of entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: 128)
        let result = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return result == 0
            ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
