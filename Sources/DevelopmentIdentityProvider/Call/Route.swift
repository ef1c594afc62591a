// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import ServerKit

/// One operation of the provider, below ``DevelopmentIdentityProvider/path``.
struct Route: Sendable {
    /// What the request's content is read as.
    enum Content: Sendable {
        case none
        case form
        case json
    }

    /// Who reads the answer.
    enum Audience: Sendable {
        case program
        /// Whoever sits at the browser: an error is a page.
        case person
    }

    let method: HTTPRequest.Method
    let path: String
    let content: Content
    let audience: Audience
    /// Those who have it.
    let vendors: Set<Vendor>
    let endpoint: @Sendable (Call) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ content: Content = .none, for audience: Audience = .program,
        of vendors: Set<Vendor> = Set(Vendor.allCases), _ endpoint: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.content = content
        self.audience = audience
        self.vendors = vendors
        self.endpoint = endpoint
    }
}
