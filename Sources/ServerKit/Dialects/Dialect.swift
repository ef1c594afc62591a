// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// One vendor's protocol over the flows: what the server has to know of it to speak it.
///
/// An implementation holds ``Accounts/AccountFlows`` and ``OwnTokens`` and never a store. Everything that the server
/// does with its dialects goes by this, so that one more is a line in the list of them.
public protocol Dialect: OwnIssuers {
    /// Names the dialect in what is kept of users, and in the counts of its calls.
    static var name: DialectName { get }
    /// What it calls an error, and with which status; `nil` for one that its table does not have.
    static func errorEntry(for code: AuthErrorCode) -> ErrorEntry?

    /// The response headers that its clients read, for cross-origin calls (Fetch standard, section 3.2.4).
    var responseHeaders: [String] { get }
    /// Paths, with all below them, whose answers say themselves which origins' pages may read them: see
    /// ``CrossOrigin/expose(_:to:)``.
    var ownOrigins: [String] { get }
    /// The parts of the URL space in which errors are said in its form.
    var surfaces: [Surface] { get }
    /// Says errors in its form, wherever they come from.
    var errors: any ErrorRenderer { get }
    /// Its operations that have passwords hashed, wherever they are called, but for those of administrators.
    var hashingRoutes: [HashingRoute] { get }

    /// The Directory one of whose domains a request's host is: an operator has said so. `nil` for the server's own host
    /// and for all others.
    ///
    /// - Parameter authority: of the request (`Host`), with a port or without.
    func directory(ofHost authority: String?, at now: Instant) async throws -> Directory?

    /// Adds every operation, those that are not built among them.
    func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes)

    /// Finds out what an app is set up with to reach the Directory of the call, and makes what is missing. For
    /// development servers.
    ///
    /// - Parameter call: of an operator.
    /// - Returns: the settings, to be asked for when they are shown: the server's URL may be known late.
    func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings
}

extension Dialect {
    public var ownOrigins: [String] { [] }
    public func directory(ofHost _: String?, at _: Instant) async throws -> Directory? { nil }
}

/// How a dialect says one of the domain's errors.
public struct ErrorEntry: Sendable, Hashable {
    /// `nil` where it is the same for nearly all, and clients go by the code.
    public var status: Int?
    /// The word that clients branch on.
    public var code: String
    /// What its developers read beside that.
    public var words: String
    /// What people are told. Errors that go out by the same status, code and words have the same: nothing is told
    /// beside a vendor's words that they conceal.
    public var told: MessageKey?

    public init(status: Int?, code: String, words: String, told: MessageKey?) {
        self.status = status
        self.code = code
        self.words = words
        self.told = told
    }
}
