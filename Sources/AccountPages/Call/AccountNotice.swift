// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What has just been done, as the first of the pages says it once, by its address.
enum AccountNotice: String, Sendable {
    case session
    case app
    case password
    case confirmed
    case address

    var text: PageText {
        switch self {
        case .session: .sessionEnded
        case .app: .appRevoked
        case .password: .resetDone
        case .confirmed: .addressConfirmedNotice
        case .address: .addressChangedNotice
        }
    }
}
