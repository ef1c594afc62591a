// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// How the platform says that an app's triggers or keys have refused a change of its users: with 500 and these texts,
/// by which apps know it. A deletion that the app's rows stand against is a conflict here, which is nobody's failure.
enum DatabaseRefusal {
    static func apply(_ error: AuthError, to wire: inout WireError) {
        guard error.code == .changeRefused else { return }
        switch error.field.flatMap(DatabaseAct.init) {
        case .create?: wire.message = "Database error saving new user"
        case .delete?: (wire.status, wire.code, wire.message) = (.conflict, "conflict", "Database error deleting user")
        case .change?, nil: break
        }
    }
}
