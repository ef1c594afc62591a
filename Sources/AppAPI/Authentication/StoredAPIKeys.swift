// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HummingbirdTokenAuth

/// The API keys of every Directory, for `X-API-Key` (C-6). Which Directory a key is of is said by the key, and it opens
/// no other.
struct StoredAPIKeys: APIKeyLookup {
    let accounts: AccountFlows
    let clock: @Sendable () -> Instant

    func apiKey(digest: [UInt8]) async throws -> APIKeyRecord? {
        guard let key = try await accounts.apiKeyAuthentication.authenticate(hash: digest, at: clock()) else {
            return nil
        }
        // What a key without scopes may do, and what one that ships in an app may not, is the domain's to say.
        var record = APIKeyRecord(
            id: key.id.rawValue, digest: key.hash, scopes: Set(APIKey.knownScopes.filter(key.allows)),
            expiresAt: key.expiresAt)
        record.attachment = key
        return record
    }
}
