// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes

/// How the platform says that a hook said no, or gave no answer.
enum HookError {
    static func apply(_ error: AuthError, to wire: inout WireError) {
        switch error.code {
        case .hookRefused:
            wire.message = error.message ?? wire.message
            switch error.field.flatMap({ HookMoment(rawValue: $0) }) {
            case .passwordAttempt?: (wire.status, wire.code) = (.badRequest, "invalid_credentials")
            case .factorAttempt?: (wire.status, wire.code) = (.forbidden, "mfa_verification_rejected")
            default: break
            }
            if let wanted = error.messageStatus { wire.status = HTTPResponse.Status(code: wanted) }
        case .hookFailed:
            switch error.field.flatMap({ HookFailure(rawValue: $0) }) {
            case .timedOut?:
                (wire.code, wire.message) = ("hook_timeout", "Failed to reach hook within maximum time")
            case .tooLarge?:
                (wire.code, wire.message) = ("hook_payload_over_size_limit", "Payload size exceeded size limit")
            case .contentType?:
                wire.status = .badRequest
                (wire.code, wire.message) = (
                    "hook_payload_invalid_content_type", "Invalid JSON response. Received another content-type"
                )
            case .status?, .malformed?:
                wire.status = .internalServerError
                (wire.code, wire.message) = ("unexpected_failure", "Unexpected answer of a hook")
            case .unreachable?, nil: break
            }
        default: break
        }
    }
}
