// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension IdentityProvider {
    /// What one dialect keeps of the provider.
    public func kept(by dialect: DialectName) -> JSONObject { dialectData[dialect.rawValue]?.objectValue ?? [:] }

    /// Puts it in place of what that dialect kept before; what others keep stays.
    public mutating func keep(_ kept: JSONObject, by dialect: DialectName) {
        dialectData[dialect.rawValue] = kept.isEmpty ? nil : .object(kept)
    }
}
