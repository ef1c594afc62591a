// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore
import Synchronization

/// Finds the address of a host. The system's resolver holds a thread until it has an answer, so that each name is asked
/// for by one thread at a time: one that nobody answers for costs one thread, however many wait for it. Whoever is
/// cancelled waits no longer.
final class HostResolution: Sendable {
    private typealias Waiter = CheckedContinuation<String?, Never>

    private struct State {
        /// By name, those who wait for it; a name without any is still asked for.
        var underWay: [String: [Int: Waiter]] = [:]
        /// Those who were cancelled before they waited.
        var gone: Set<Int> = []
        var latest = 0
    }

    private let lookUp: @Sendable (String) -> String?
    private let state = Mutex(State())

    /// - Parameter lookUp: the address of a name as text; may take its time.
    init(lookUp: @escaping @Sendable (String) -> String? = HostResolution.ask) {
        self.lookUp = lookUp
    }

    /// The address that the system prefers (RFC 6724) for `host`; `nil` when it has none. An address is its own.
    func address(of host: String) async -> String? {
        if PublicAddress.octets(host) != nil { return host }
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
            waiter?.resume(returning: nil)
        }
    }

    /// How many wait for it now.
    func waiting(for host: String) -> Int { state.withLock { $0.underWay[host]?.count ?? 0 } }

    private func wait(for host: String, _ number: Int, _ waiter: Waiter) {
        enum Turn { case gone, first, next }
        let turn = state.withLock { state in
            guard !state.gone.contains(number) else { return Turn.gone }
            let turn = state.underWay[host] == nil ? Turn.first : .next
            state.underWay[host, default: [:]][number] = waiter
            return turn
        }
        switch turn {
        case .gone: waiter.resume(returning: nil)
        case .next: break
        case .first:
            DispatchQueue.global().async { [self] in
                let address = lookUp(host)
                let waiters = state.withLock { $0.underWay.removeValue(forKey: host) ?? [:] }
                for waiter in waiters.values { waiter.resume(returning: address) }
            }
        }
    }

    static func ask(_ host: String) -> String? {
        try? SocketAddress.makeAddressResolvingHost(host, port: 443).ipAddress
    }
}
