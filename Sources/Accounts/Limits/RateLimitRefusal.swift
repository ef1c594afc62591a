// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A call that was refused for its number: what an operator watches to see an attack.
public struct RateLimitRefusal: Sendable, Hashable {
    /// The limit's name: one of a few.
    public let limit: String
    /// The dialect that the call came in.
    public let dialect: String
    public let directory: DirectoryID
    /// Truncated; `nil` where it is unknown.
    public let client: String?

    public init(limit: String, call: CallContext) {
        self.limit = limit
        dialect = call.dialect?.rawValue ?? "none"
        directory = call.directory.id
        client = call.device.truncatedAddress
    }
}
