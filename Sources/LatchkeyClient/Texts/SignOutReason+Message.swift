// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SignOutReason {
    /// What a sign-in screen says above its fields (Y-US2, Y-E4, C-11).
    public var message: UserMessage {
        switch self {
        case .neverSignedIn: UserMessage(.neverSignedIn)
        case .userSignedOut: UserMessage(.userSignedOut)
        case .sessionExpired: UserMessage(.signedOutExpired)
        case .sessionRevoked: UserMessage(.signedOutRevoked)
        case .accountDeleted: UserMessage(.signedOutDeleted)
        case .accountDisabled: UserMessage(.signedOutDisabled)
        case .storeCorrupted: UserMessage(.signedOutCorrupted)
        }
    }
}
