// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// One call of this dialect: its pool and its caller are known, its members are still to be read.
struct DialectCall: Sendable, LimitedCall {
    let dialect: CognitoDialect
    /// The pool's Directory, the time, the caller; with the app client where the call names one.
    var flow: CallContext
    let input: Input
    let caller: Caller

    var directory: Directory { flow.directory }
    var now: Instant { flow.now }
    var accounts: AccountFlows { dialect.accounts }
    var poolID: String { dialect.poolID(of: directory) }
    var pool: PoolSettings { PoolSettings(directory.settings) }

    /// The signed-in user of an operation that takes an access token; ``Operation/Access/user`` has checked it.
    func user() throws -> AuthenticatedUser {
        guard case .user(let authenticated) = caller else { throw AuthError(.tokenMissing) }
        return authenticated
    }

    /// The app client of an operation that names one; ``Operation/Access/client`` has found it.
    func client() throws -> Client {
        guard let client = flow.client else { throw WireError.parameter("Missing required parameter ClientId") }
        return client
    }

    /// Whether strangers are not to learn who has an account here.
    var concealsUsers: Bool { flow.client?.settings.concealsUsers ?? true }

    // MARK: Limits

    /// Operations are named by a header: the query says nothing.
    var query: [String: String] { [:] }

    func memberText(_ name: String) -> String? {
        switch input.object[name] {
        case nil, .null: nil
        case .string(let text): text
        default: ""
        }
    }
}

/// Who a call comes from.
enum Caller: Sendable {
    case anybody
    case user(AuthenticatedUser)
    /// The access key's identifier.
    case administrator(String)
}

extension HTTPField.Name {
    static let amazonTarget = Self.known("X-Amz-Target")
    static let amazonErrorType = Self.known("x-amzn-ErrorType")
    static let amazonErrorMessage = Self.known("x-amzn-ErrorMessage")
    static let amazonRequestID = Self.known("x-amzn-RequestId")

    /// The names above are tokens (RFC 9110, section 5.1); were one not, its header would only be missing.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
}
