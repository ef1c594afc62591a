// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What goes back to a client through the browser, in the way that the request asked for (OAuth 2.0 Multiple Response
/// Type Encoding Practices, section 2.1; OAuth 2.0 Form Post Response Mode). Every one says who it is of (RFC 9207), an
/// error too.
struct AuthorizationAnswer: Sendable {
    /// One of the client's own: it was compared with those registered.
    var redirectURI: String
    var mode: AuthorizationParameters.ResponseMode
    var parameters: [(name: String, value: String)]

    /// - Parameter issuer: of the client's Directory.
    init(_ response: AuthorizationResponse, issuer: String) {
        redirectURI = response.redirectURI
        mode = response.mode
        parameters = response.parameters + [(name: "iss", value: issuer)]
    }

    /// An error in what the request says, before the flows have seen it.
    init(
        _ error: OAuthError, to redirectURI: String, mode: AuthorizationParameters.ResponseMode, state: String?,
        issuer: String
    ) {
        self.redirectURI = redirectURI
        self.mode = mode
        parameters = [(name: "error", value: error.code), (name: "error_description", value: error.description)]
        if let state { parameters.append((name: "state", value: state)) }
        parameters.append((name: "iss", value: issuer))
    }

    func response(_ call: ProviderCall) -> Response {
        switch mode {
        case .query: Answer.redirect(to: redirectURI + (redirectURI.contains("?") ? "&" : "?") + encoded)
        case .fragment: Answer.redirect(to: redirectURI + "#" + encoded)
        case .formPost: FormPostPage(target: redirectURI, fields: parameters, language: call.flow.language).response
        }
    }

    private var encoded: String {
        parameters.map { PercentEncoding.encode($0.name.utf8) + "=" + PercentEncoding.encode($0.value.utf8) }
            .joined(separator: "&")
    }
}
