// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SRP

/// What arithmetic that fails comes to.
enum SRPFault {
    static func judged<Value>(_ work: () throws(SRPError) -> Value) throws(AuthError) -> Value {
        do throws(SRPError) {
            return try work()
        } catch {
            switch error {
            case .outOfRange: throw AuthError(.internalFailure, reason: "an SRP value is out of range")
            case .outOfMemory: throw AuthError(.unavailable, reason: "no memory for SRP", retryAfter: .seconds(1))
            }
        }
    }
}
