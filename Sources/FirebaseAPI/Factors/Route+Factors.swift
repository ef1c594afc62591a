// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import ServerKit

extension Route {
    static let secondFactors: [Route] = [
        Route(.post, factor("mfaEnrollment", "start"), .client, limit: .by(.verify), EnrolmentEndpoints.start),
        Route(.post, factor("mfaEnrollment", "finalize"), .client, limit: .by(.verify), EnrolmentEndpoints.finalize),
        Route(.post, factor("mfaEnrollment", "withdraw"), .client, limit: .by(.verify), EnrolmentEndpoints.withdraw),
        Route(.post, factor("mfaSignIn", "start"), .client, limit: .by(.verify), FactorSignInEndpoints.start),
        Route(.post, factor("mfaSignIn", "finalize"), .client, limit: .by(.verify), FactorSignInEndpoints.finalize),
    ]

    /// `v2/accounts/…`, which the API before does not have.
    static func factor(_ resource: String, _ operation: String) -> [String] {
        host(toolkit, "/v2/accounts/\(resource):\(operation)")
    }
}
