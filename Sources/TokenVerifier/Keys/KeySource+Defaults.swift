// SPDX-License-Identifier: Apache-2.0

extension KeySource {
    /// For keys that never change.
    public var generation: UInt64 { 0 }
}
