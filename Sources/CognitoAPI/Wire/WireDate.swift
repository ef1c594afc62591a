// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension Instant {
    /// As this protocol writes a time: seconds since 1970, with three decimals where there are any (AWS JSON 1.1,
    /// `timestampFormat` `unixTimestamp`).
    var wireDate: JSONValue {
        let milliseconds = microseconds / 1000
        return milliseconds % 1000 == 0 ? .integer(milliseconds / 1000) : .number(Double(milliseconds) / 1000)
    }
}
