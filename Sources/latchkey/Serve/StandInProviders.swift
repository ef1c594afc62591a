// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The identity providers that this run of the server has beside what is stored: they are as its start says, and gone
/// with it.
final class StandInProviders: Sendable {
    private let providers = Mutex<[DirectoryID: [IdentityProvider]]>([:])

    func add(_ added: [IdentityProvider], to directory: DirectoryID) {
        providers.withLock { $0[directory, default: []] += added }
    }

    func of(_ directory: DirectoryID) -> [IdentityProvider] { providers.withLock { $0[directory] ?? [] } }
}
