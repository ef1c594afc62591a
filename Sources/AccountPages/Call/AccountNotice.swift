// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What has just been done, as the first of the pages says it once, by its address.
enum AccountNotice: String, Sendable {
    case session
    case app
    case password
    case confirmed
    case address
    case factorAdded
    case factorRemoved
    case profile
    case phone
    case linked
    case unlinked
    case others
    case export
    case kept
    case passkeyAdded
    case passkeyNamed
    case passkeyRemoved
    case consents

    var text: PageText {
        switch self {
        case .session: .sessionEnded
        case .app: .appRevoked
        case .password: .resetDone
        case .confirmed: .addressConfirmedNotice
        case .address: .addressChangedNotice
        case .factorAdded: .factorAdded
        case .factorRemoved: .factorRemoved
        case .profile: .profileSaved
        case .phone: .phoneChanged
        case .linked: .identityLinked
        case .unlinked: .identityUnlinked
        case .others: .othersEnded
        case .export: .dataExportSent
        case .kept: .accountKept
        case .passkeyAdded: .passkeyAdded
        case .passkeyNamed: .passkeyNamed
        case .passkeyRemoved: .passkeyRemoved
        case .consents: .consentsSaved
        }
    }
}
