// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What goes back to a client through the browser: a code, or an error (RFC 6749, sections 4.1.2 and 4.1.2.1).
public struct AuthorizationResponse: Sendable {
    /// One of the client's own.
    public var redirectURI: String
    public var mode: AuthorizationParameters.ResponseMode
    /// In order. Whoever sends it adds `iss` (RFC 9207).
    public var parameters: [(name: String, value: String)]

    init(to request: AuthorizationRequest, _ parameters: AuthorizationParameters, _ content: [(String, String)]) {
        redirectURI = request.redirectURI ?? ""
        mode = parameters.responseMode
        self.parameters = content.map { (name: $0.0, value: $0.1) }
        if let state = parameters.state { self.parameters.append((name: "state", value: state)) }
    }

    static func code(
        _ code: String, to request: AuthorizationRequest, _ parameters: AuthorizationParameters
    ) -> Self { Self(to: request, parameters, [("code", code)]) }

    static func error(
        _ code: AuthorizationErrorCode, _ description: String, to request: AuthorizationRequest,
        _ parameters: AuthorizationParameters
    ) -> Self { Self(to: request, parameters, [("error", code.rawValue), ("error_description", description)]) }

    /// The code that it carries; `nil` for an error.
    public var code: String? { value(of: "code") }
    /// The error that it carries; `nil` for a code.
    public var error: AuthorizationErrorCode? { value(of: "error").flatMap(AuthorizationErrorCode.init) }

    private func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
}
