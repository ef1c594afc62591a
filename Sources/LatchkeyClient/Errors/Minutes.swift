// SPDX-License-Identifier: Apache-2.0

import AuthTypes

enum Minutes {
    /// Minutes as people are told to wait them: a minute that has begun counts, and less than one is one.
    static func begun(in span: TimeSpan) -> Int64 {
        let minute = TimeSpan.minutes(1).microseconds
        let whole = span.microseconds / minute
        return max(1, span.microseconds % minute > 0 ? whole + 1 : whole)
    }
}
