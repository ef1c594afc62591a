// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Second factors as an operator's programs give them: `mfa.enrollments` of an update, `mfaInfo` of a new or imported
/// user.
enum GivenEnrolments {
    /// - Throws: `OPERATION_NOT_ALLOWED` for numbers where none is taken, `INVALID_PHONE_NUMBER`,
    ///   `UNSUPPORTED_SECOND_FACTOR` for what names neither a number nor an enrolment;
    ///   ``AuthErrorCode/invalidRequest`` for a time that is none.
    static func read(_ entries: [Input], _ settings: DirectorySettings) throws -> [GivenFactor] {
        var factors: [GivenFactor] = []
        for entry in entries {
            var factor = GivenFactor(
                id: try entry.given("mfaEnrollmentId").map { FactorID($0) }, name: try entry.given("displayName"))
            factor.phone = try entry.phone("phoneInfo")
            if factor.phone != nil, settings.factors.phone == .off { throw EnrolmentEndpoints.notEnabled("SMS") }
            if let text = try entry.given("enrolledAt") {
                guard let instant = Instant(rfc3339: text) else {
                    throw AuthError(.invalidRequest, field: "enrolledAt")
                }
                factor.enrolledAt = instant
            }
            guard factor.phone != nil || entry.has("totpInfo") else { throw unsupported }
            factors.append(factor)
        }
        return factors
    }

    static let unsupported = WireError(
        "UNSUPPORTED_SECOND_FACTOR", "An enrollment needs phoneInfo, or names one that the user has.")
}
