// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird

/// Errors of paths that people open in a browser, wherever they come from: an outage too is said by a page.
public struct PageErrors: ErrorRenderer, RefusalRenderer {
    public let fields: [HTTPField.Name] = [.acceptLanguage]
    private let directory: @Sendable (Request, Instant) async -> Directory?

    /// - Parameter directory: the one whose page a request is for; `nil` where that is not known, as where the store
    ///   can't be read.
    public init(of directory: @escaping @Sendable (Request, Instant) async -> Directory? = { _, _ in nil }) {
        self.directory = directory
    }

    public func response(
        for error: AuthError, to request: Request, context: LatchkeyRequestContext
    ) async -> Response {
        let directory = await directory(request, context.now)
        var page = ErrorPage(
            any: error, in: directory, language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            reference: context.requestID)
        if directory == nil { page.home = nil }
        return page.response
    }

    /// In nobody's colours: whose pages they are has not been looked up.
    public func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal {
        var page = ErrorPage(
            any: error, in: nil, language: MessageLanguage(acceptLanguage: headers[.acceptLanguage]), reference: nil)
        page.home = nil
        return page.refusal
    }
}
