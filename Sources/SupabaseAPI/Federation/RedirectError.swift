// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What a browser that comes back from a provider is told at the place that it goes on to: by the query, and for older
/// apps by the fragment too.
struct RedirectError: Error, Sendable {
    /// What the standard calls it (RFC 6749, section 4.1.2.1).
    var name: String
    /// The platform's own; none where the provider has spoken.
    var code: String?
    var message: String

    /// - Parameters:
    ///   - name: as a provider wrote it: bounded, and nothing but what the standard lets it be.
    ///   - description: likewise.
    init(ofProvider name: String, description: String?) {
        self.name = Self.text(name, limit: 64)
        message = Self.text(description ?? "", limit: 512)
    }

    init(_ error: WireError) {
        name = Self.name(of: error)
        code = error.code
        message = error.message
    }

    var query: [(String, String)] {
        [("error", name)] + (code.map { [("error_code", $0)] } ?? []) + [("error_description", message)]
    }

    /// For a place that the request was allowed to name.
    func target(_ url: String) -> String {
        RedirectTarget(url: url).adding(query: query, fragment: query + [("sb", "")])
    }

    /// By the platform's own table, in which most of what is wrong is the server's.
    private static func name(of error: WireError) -> String {
        switch (error.code, error.status.code) {
        case ("signup_disabled", _), ("user_banned", _), ("provider_email_needs_verification", _), (_, 403):
            "access_denied"
        case (_, 400): "invalid_request"
        case (_, 401): "unauthorized_client"
        case (_, 503): "temporarily_unavailable"
        default: "server_error"
        }
    }

    /// RFC 6749, section 4.1.2.1: visible ASCII but quotes and backslashes.
    private static func text(_ text: String, limit: Int) -> String {
        String(
            decoding: text.utf8.prefix(limit).filter { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C },
            as: UTF8.self)
    }
}
