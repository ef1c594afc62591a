// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Keys that the program was given, by its configuration or in a test. They are never fetched and never change.
public struct FixedKeys: KeySource {
    public let keys: VerificationKeySet?

    /// - Parameter keys: what every question is answered with.
    public init(_ keys: VerificationKeySet) {
        self.keys = keys
    }

    /// A source that has no key: every token is refused.
    public static let empty = FixedKeys()

    private init() {
        keys = nil
    }

    /// Returns at once: there is nowhere to ask.
    public func request(_ need: KeyNeed) async {}

    public var retryAfter: TimeSpan? { nil }
}
