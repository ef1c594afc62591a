// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A call that was refused for its number: what an operator watches to see an attack.
public struct RateLimitRefusal: Sendable, Hashable {
    /// The limit's name: one of the few that the dialects give.
    public let limit: String
    public let dialect: String
    public let directory: DirectoryID
    /// Truncated; `nil` where it is unknown.
    public let client: String?

    public init(limit: String, dialect: String, call: CallContext) {
        self.limit = limit
        self.dialect = dialect
        directory = call.directory.id
        client = call.device.truncatedAddress
    }
}
