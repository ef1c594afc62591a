// SPDX-License-Identifier: Apache-2.0

/// What came of opening every sealed value.
package struct OpeningReport: Sendable, Equatable {
    package var opened = 0
    /// Values that no key opens, or that are none of this program's.
    package var damaged = 0
}
