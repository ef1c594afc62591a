// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// A refusal in the form of OAuth (RFC 6749, section 5.2), which the platform keeps for a few grants: status 400, and no
/// `error_code`.
struct GrantError: Error {
    /// As the platform spells it, a blank included.
    var name: String
    var message: String

    var response: Response {
        Answer.object(["error": .string(name), "error_description": .string(message)], status: .badRequest)
    }
}
