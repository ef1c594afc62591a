// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a row does not write down: that somebody is known by their address alone, as nearly all are, and a name that is written
/// down as its own key.
package enum UserWords {
    private static let common: JSONObject = ["provider": "email", "providers": ["email"]]
    /// The same as text: what stands for a null in SQL.
    package static let commonText = #"{"provider":"email","providers":["email"]}"#

    /// - Throws: as `SQLValue(JSONObject)`.
    static func value(_ appMetadata: JSONObject) throws -> SQLValue {
        let value = try SQLValue(appMetadata)
        return value == .text(commonText) ? .null : value
    }

    /// Octet by octet: two compositions of one name have one key.
    static func value(_ name: Username?) -> SQLValue {
        name.map { $0.rawValue.utf8.elementsEqual($0.key.utf8) ? .null : .text($0.rawValue) } ?? .null
    }

    static func appMetadata(_ row: any SQLRow, _ index: Int) throws -> JSONObject {
        row.isNull(index) ? common : try row.object(index)
    }
}
