// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// What is said to whoever sits at the browser where nothing may go back to the client: neither it nor its redirect URI
/// are known to be good (RFC 6749, section 4.1.2.1). It leads nowhere.
public struct OAuthErrorPage: Sendable {
    public var error: OAuthError
    public var brand: PageBrand
    public var language: MessageLanguage
    /// By which the operator finds the request in the log.
    public var reference: String
    /// The app that has sent the browser here, where it is known.
    public var app: AppLink?

    public init(error: OAuthError, brand: PageBrand, language: MessageLanguage, reference: String) {
        self.error = error
        self.brand = brand
        self.language = language
        self.reference = reference
    }

    public var response: Response {
        let (title, lead) = texts
        let back: HTML? = app.map { "<p>\($0.html(in: language))</p>" }
        var frame = PageFrame(
            title: MessageCatalog.text(title, in: language), brand: brand, language: language,
            content: """
                <p>\(MessageCatalog.text(lead, in: language))</p>
                \(back)
                <p class="note">\(error.code): \(error.description)<br>
                \(MessageCatalog.text(.reference, in: language, values: ["id": reference]))</p>
                """)
        frame.isRefusal = true
        var response = frame.response(status: error.status)
        if let wait = error.retryAfter { response.headers.setRetryAfter(wait) }
        return response
    }

    private var texts: (PageText, PageText) {
        switch error.status {
        case .notFound: (.notFound, .notFoundLead)
        case .tooManyRequests, .serviceUnavailable: (.failed, .busyLead)
        case .gone: (.expired, .expiredLead)
        case .internalServerError: (.failed, .failedLead)
        default: (.badRequest, .badRequestLead)
        }
    }
}
