// SPDX-License-Identifier: Apache-2.0

import AccountModel
import ServerKit

/// The `resource` parameters of a request (RFC 8707, section 2): whom an access token is to be for.
enum Resource {
    private static let maximum = 10

    /// Each once, in their order. Which of them a client may name is what it was registered for.
    ///
    /// - Throws: `invalid_target` for too many.
    static func list(_ parameters: Parameters) throws(OAuthError) -> [String] {
        let given = parameters.all("resource")
        guard given.count <= maximum else { throw .invalidTarget("There are too many resources") }
        return given.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
