// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// By what a client shows that it is the one it says, as it came with the call.
public enum ClientProof: Sendable {
    case nothing
    /// In the header, decoded: identifier and secret are each written as a form's value there (RFC 6749,
    /// section 2.3.1).
    case secretBasic(Secret<String>)
    case secretPost(Secret<String>)
    /// A signed JWT (RFC 7523, section 2.2).
    case assertion(Secret<String>)

    public var method: ClientAuthenticationMethod {
        switch self {
        case .nothing: .publicClient
        case .secretBasic: .secretBasic
        case .secretPost: .secretPost
        case .assertion: .privateKey
        }
    }
}
