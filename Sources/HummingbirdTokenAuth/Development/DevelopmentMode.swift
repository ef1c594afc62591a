// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Lets requests in as fixed users, without any validation, while an application is being written.
///
/// It is switched on by a flag that the program must pass (never by a variable of the environment, which is how others
/// were left open in production), it refuses to be made where the environment says production, and each request is
/// logged with a warning.
///
/// A request without an `Authorization` header is the first user; `Bearer NAME` is the user of that name. Any other
/// token is verified as always, and so are API keys.
public struct DevelopmentMode: Sendable {
    /// Why development mode can't be had. The program should end with it.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// `variable` of the environment says that this is production.
        case production(variable: String)

        public var description: String {
            switch self {
            case .production(let variable):
                "development mode lets everyone in without validation; it does not start where \(variable) says"
                    + " production"
            }
        }
    }

    /// The variables that are asked, each in any case: they say production with `production`, `prod` or `live`.
    public static let variables = [
        "LATCHKEY_ENVIRONMENT", "ENVIRONMENT", "ENV", "APP_ENV", "HB_ENVIRONMENT", "SWIFT_ENV", "NODE_ENV",
    ]

    private let users: [DevelopmentUser]

    /// - Parameters:
    ///   - isOn: the program's own flag, such as one of its command line. When it is false, this is `nil`.
    ///   - users: the first is who a request without credentials comes from.
    ///   - environment: the process's, unless told otherwise.
    /// - Throws: ``Failure`` when it is switched on in production.
    public init?(
        isOn: Bool, users: [DevelopmentUser], environment: Environment = Environment()
    ) throws(Failure) {
        guard isOn else { return nil }
        for variable in Self.variables {
            let value = environment.get(variable)?.lowercased().filter { !$0.isWhitespace }
            if let value, ["production", "prod", "live"].contains(value) { throw .production(variable: variable) }
        }
        self.users = users
    }

    /// - Parameter token: of the request's `Authorization` header.
    func user(for token: Substring) -> DevelopmentUser? { users.first { $0.name == token } }

    /// Who a request without an `Authorization` header comes from.
    var defaultUser: DevelopmentUser? { users.first }
}
