// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// What goes wrong with a request, each as often as the others.
enum Fault: String, Sendable, CaseIterable {
    /// The way breaks before the service has the request.
    case cutBefore
    /// It breaks after the service has carried the request out.
    case cutAfter
    /// Nobody hears of the request, and nobody answers until the time is over.
    case timeOut
    /// The service carries it out, and the answer does not come until the time is over.
    case lostAnswer
    /// 429 with `Retry-After: 1`.
    case tooMany
    /// 503 of somebody who stands before the service.
    case serverFault
    /// The service carries it out, and what comes back is a page of somebody else's, with status 200.
    case malformed
}

/// A sequence of chances that begins alike for the same seed (SplitMix64; Steele, Lea, Flood, 2014).
final class Dice: Sendable {
    private let state: Guarded<UInt64>

    init(seed: UInt64) {
        state = Guarded(seed)
    }

    func roll() -> UInt64 {
        var mixed = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One of them, once in `of` times.
    func pick<Choice>(_ choices: [Choice], oneIn of: UInt64) -> Choice? {
        guard roll() % of == 0 else { return nil }
        return choices[Int(roll() % UInt64(choices.count))]
    }
}

/// How often each thing happened.
final class Tally: Sendable {
    private let counts = Guarded<[String: Int]>([:])

    func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
    subscript(name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

    var report: JSONObject {
        var report = JSONObject()
        for (name, count) in counts.value.sorted(by: { $0.key < $1.key }) { report[name] = .integer(Int64(count)) }
        return report
    }
}
