// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// A year of yoga, the same at every call with the same seed.
struct DemoActivities: Sendable {
    static let count = 250

    private static let styles: [(type: String, names: [String])] = [
        ("yoga.vinyasa", ["Morning flow", "Power vinyasa", "Sun salutations", "Slow flow with twists"]),
        ("yoga.hatha", ["Hatha basics", "Standing poses", "Balance and breath"]),
        ("yoga.yin", ["Yin for hips", "Deep stretch", "Evening wind-down"]),
        ("yoga.restorative", ["Restorative with bolsters", "Gentle Sunday"]),
        ("yoga.ashtanga", ["Primary series", "Half primary"]),
        ("meditation", ["Body scan", "Breathing meditation", "Silent sitting"]),
    ]

    let seed: UInt64
    let user: UserID
    let directory: DirectoryID

    /// Newest first: the latest within the last day and a half before `now`, each earlier one about a day and a half
    /// before the next.
    func make(before now: Instant) -> [Activity] {
        var at = now
        return (0..<Self.count).map { index in
            let dice = Dice("demo \(seed) \(directory.rawValue) \(user.rawValue) \(index)")
            at = at - TimeSpan.minutes(Int64(600 + dice.number(1, below: 1560)))
            let style = Self.styles[dice.number(2, below: Self.styles.count)]
            return Activity(
                id: ActivityID(dice.uuid), directoryID: directory, userID: user, type: style.type,
                description: style.names[dice.number(3, below: style.names.count)],
                durationSeconds: Int64(15 + 5 * dice.number(4, below: 16)) * 60, at: at)
        }
    }
}

/// Bytes that depend on nothing but the seed, whose list it is, and the place in it.
private struct Dice {
    let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(SHA256.hash(data: Array(name.utf8)))
    }

    /// From 0 to `bound` - 1, from the n-th group of four bytes after the identifier's; the bias is of no matter here.
    func number(_ group: Int, below bound: Int) -> Int {
        let start = 12 + 4 * group
        let value = bytes[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(value % UInt32(bound))
    }

    /// RFC 9562, section 5.8: a UUID made by a rule of one's own.
    var uuid: String {
        var own = Array(bytes.prefix(16))
        own[6] = own[6] & 0x0F | 0x80
        own[8] = own[8] & 0x3F | 0x80
        let hex = Array(Hex.encode(own))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }
}
