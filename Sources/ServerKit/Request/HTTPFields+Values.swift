// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

extension HTTPFields {
    /// The value of a field as the subscript has it, and in less time where there is one field of the name, as of most.
    public func value(_ name: HTTPField.Name) -> String? {
        guard contains(name) else { return nil }
        let values = self[values: name]
        return values.count == 1 ? values[0] : self[name]
    }

    /// The token of an `Authorization` header of the Bearer kind (RFC 6750, section 2.1), whose name may be in either
    /// case (RFC 9110, section 11.1). `nil` without one, and for credentials of another kind.
    public var bearerToken: String? {
        guard let value = self[.authorization], value.utf8.count > 7, value.prefix(7).lowercased() == "bearer "
        else { return nil }
        return String(value.dropFirst(7))
    }

    /// The token of an `Authorization` header, and the scheme that it came by: `bearer`, or `dpop` (RFC 9449,
    /// section 7.1). `nil` without one, and for credentials of another kind.
    public var accessToken: (scheme: String, token: String)? {
        if let token = bearerToken { return ("bearer", token) }
        guard let value = self[.authorization], value.utf8.count > 5, value.prefix(5).lowercased() == "dpop " else {
            return nil
        }
        return ("dpop", String(value.dropFirst(5)))
    }

    /// Says how long to wait in whole seconds, at least one (`Retry-After`; RFC 9110, section 10.2.3).
    public mutating func setRetryAfter(_ wait: TimeSpan) {
        self[.retryAfter] = String(Swift.max(1, (wait.microseconds + 999_999) / 1_000_000))
    }
}
