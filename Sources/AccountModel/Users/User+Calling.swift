// SPDX-License-Identifier: Apache-2.0

extension User {
    /// Whether the user is called by their address and by nothing else that they chose, so that they can't be without.
    public var isCalledByEmail: Bool { username == nil && email != nil && !sharesEmail }
    /// The same of the number.
    public var isCalledByPhone: Bool { username == nil && phone != nil && !sharesPhone }
}
