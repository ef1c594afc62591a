// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Makes passwords that a person types once, from a mail: without letters that are taken for each other.
enum TemporaryPasswordText {
    private static let shortest = 14
    private static let lookalikes = Set("0O1lI|`'\"")

    /// Meets the Directory's policy: its length, and one character of each set that it requires.
    static func make(for settings: DirectorySettings, random: any RandomSource) -> Secret<String> {
        let usual = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "!@#$%&*+-=?"]
        let required = settings.password.requiredCharacters.filter { !$0.isEmpty }.map { set in
            let clear = set.filter { !lookalikes.contains($0) }
            return Array(clear.isEmpty ? set : clear)
        }
        let sets = required + usual.map(Array.init)
        let every = usual.flatMap(Array.init)
        var characters = sets.compactMap { pick($0, random) }
        while characters.count < max(shortest, settings.password.minimumLength) {
            guard let next = pick(every, random) else { break }
            characters.append(next)
        }
        // Fisher–Yates: the required ones must not stand at known places.
        for place in characters.indices.dropFirst().reversed() {
            characters.swapAt(place, below(place + 1, random))
        }
        return Secret(String(characters))
    }

    private static func pick(_ set: [Character], _ random: any RandomSource) -> Character? {
        set.isEmpty ? nil : set[below(set.count, random)]
    }

    /// Evenly from 0 up to `limit`, which is at most 256.
    private static func below(_ limit: Int, _ random: any RandomSource) -> Int {
        guard limit > 1 else { return 0 }
        let fair = 65_536 - 65_536 % limit
        while true {
            let bytes = random.bytes(2)
            let value = bytes.reduce(0) { $0 << 8 | Int($1) }
            if value < fair { return value % limit }
        }
    }
}
