// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// Every advisory lock that this program takes, by name. Each is a schema's own, so that two programs in one database
/// do not wait for each other.
enum PostgresLock {
    /// Held while the schema is brought up to date, and no longer than its connection is there.
    case migration
    /// Held for as long as its connection is there.
    case duty(StoreDuty)
    /// Shared by the writes of all servers, and held alone by one that others have come between again and again.
    case turn

    private var name: String {
        switch self {
        case .migration: "migration"
        case .duty(let duty): "duty " + duty.rawValue
        case .turn: "turn"
        }
    }

    /// The lock's number: FNV-1a of the name, in 64 bits. The same in every version, or two would not see each other.
    func number(in schema: String) -> Int64 {
        let hash = "latchkey \(schema) \(name)".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return Int64(bitPattern: hash)
    }
}
