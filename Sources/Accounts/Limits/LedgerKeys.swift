// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The keys by which the ledger counts callers at clients, as they were made last: an app's own server comes with each
/// of its users' requests, and its key is an HMAC of the same words each time.
///
/// They are kept in this process alone, for the very reading of the Directory that they were made in.
final class LedgerKeys: Sendable {
    private struct Place: Hashable {
        var client: ClientID
        var origin: String
    }

    private struct Known {
        var directory: Directory
        var key: [UInt8]
    }

    /// Beyond it all are made anew: who calls is the callers' choice.
    private static let capacity = 1024

    private let known = Mutex<[Place: Known]>([:])

    func key(of client: ClientID, from origin: String, _ call: CallContext, _ make: () -> [UInt8]) -> [UInt8] {
        let place = Place(client: client, origin: origin)
        if let found = known.withLock({ $0[place] }), found.directory.isCopy(of: call.directory) { return found.key }
        let key = make()
        known.withLock { known in
            if known.count >= Self.capacity, known[place] == nil { known.removeAll() }
            known[place] = Known(directory: call.directory, key: key)
        }
        return key
    }

    /// How many are known now.
    var count: Int { known.withLock { $0.count } }
}
