// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// What is said where a page can't be shown. It leads nowhere but to the beginning.
public struct ErrorPage: Sendable {
    private var title: PageText
    private var lead: String
    private var status: HTTPResponse.Status
    private var brand: PageBrand
    private var language: MessageLanguage
    /// Where one can start again; `nil` where nobody knows.
    public var home: String?
    /// The app that it was about.
    public var app: AppLink?
    /// By which the operator finds the request in the log; `nil` for one that is not in it.
    private var reference: String?
    private var wait: TimeSpan?

    /// For a request of which no more is known than whose pages it is about.
    ///
    /// - Parameter directory: `nil` for one that there is not.
    /// - Returns: `nil` for what is no client's fault: that is logged on its way to whoever renders errors.
    public init?(_ error: any Error, in directory: Directory?, language: MessageLanguage, reference: String) {
        switch error {
        case let refusal as AuthorizationRefusal:
            self.init(in: directory, language: language, reference: reference)
            let isStale = refusal.staleness != nil
            (title, status) = isStale ? (.expired, .gone) : (.badRequest, .badRequest)
            lead = MessageCatalog.text(isStale ? .expiredLead : .badRequestLead, in: language)
        case let error as AuthError:
            self.init(any: error, in: directory, language: language, reference: reference)
            guard status.code < 500 else { return nil }
        default: return nil
        }
    }

    /// For what nobody else has answered.
    ///
    /// - Parameter directory: the one whose page it is, as far as that is known.
    public init(any error: AuthError, in directory: Directory?, language: MessageLanguage, reference: String?) {
        self.init(in: directory, language: language, reference: reference)
        (title, lead, status) = Self.said(error, language)
        wait = error.retryAfter
    }

    private init(in directory: Directory?, language: MessageLanguage, reference: String?) {
        (title, lead, status) = (.failed, "", .internalServerError)
        brand = PageBrand(directory?.settings ?? DirectorySettings())
        home = directory.map(AccountPlace.path) ?? AccountPlace.path
        self.language = language
        self.reference = reference
    }

    private static func said(
        _ error: AuthError, _ language: MessageLanguage
    ) -> (PageText, String, HTTPResponse.Status) {
        func text(_ text: PageText) -> String { MessageCatalog.text(text, in: language) }
        switch error.code {
        case .notFound: return (.notFound, text(.notFoundLead), .notFound)
        case .methodNotAllowed: return (.badRequest, text(.badRequestLead), .methodNotAllowed)
        case .requestTooLarge: return (.badRequest, text(.badRequestLead), .contentTooLarge)
        case .invalidRequest, .invalidJSON: return (.badRequest, text(.badRequestLead), .badRequest)
        case .flowStateNotFound, .flowStateExpired: return (.expired, text(.expiredLead), .gone)
        case .forbidden: return (.badRequest, text(.formRefused), .forbidden)
        case .rateLimited, .mailRateLimited, .messageRateLimited: return (.failed, text(.busyLead), .tooManyRequests)
        case .unavailable, .overloaded: return (.failed, text(.busyLead), .serviceUnavailable)
        case .identityProviderUnavailable:
            return (.failed, MessageCatalog.text(for: error.code, in: language), .serviceUnavailable)
        case .internalFailure: return (.failed, text(.failedLead), .internalServerError)
        default: return (.badRequest, MessageCatalog.text(for: error.code, in: language), .badRequest)
        }
    }

    public var response: Response { refusal.response }

    var refusal: Refusal {
        let back = app?.html(in: language)
        let beginning: HTML? = home.map { home in
            let style: HTML = back == nil ? "button" : "button quiet"
            return #"<a class="\#(style)" href="\#(home)">\#(MessageCatalog.text(.startAgain, in: language))</a>"#
        }
        let ways: HTML? = back == nil && beginning == nil ? nil : #"<p class="pair">\#(back)\#(beginning)</p>"#
        let note: HTML? = reference.map { reference in
            let text = MessageCatalog.text(.reference, in: language, values: ["id": reference])
            return #"<p class="note">\#(text)</p>"#
        }
        var frame = PageFrame(
            title: MessageCatalog.text(title, in: language), brand: brand, language: language,
            content: """
                <p class="lead">\(lead)</p>
                \(ways)
                \(note)
                """)
        frame.isRefusal = true
        var refusal = frame.refusal(status: status)
        if let wait { refusal.headers.setRetryAfter(wait) }
        return refusal
    }
}
