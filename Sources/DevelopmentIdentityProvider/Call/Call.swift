// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// A request to the provider, read.
struct Call: Sendable {
    let provider: DevelopmentIdentityProvider
    /// Whom the path names.
    let given: Vendor?
    /// Each once, as the query or the form has it.
    let parameters: [String: String]
    /// Of a request whose content is JSON.
    let body: JSONObject
    let headers: HTTPFields
    let authority: String?
    let context: LatchkeyRequestContext
    /// What the path says of a Microsoft directory; `common` where it says nothing.
    let tenant: String

    var now: Instant { context.now }
    var url: String { provider.ports.url.text }
    var book: Book { provider.book }
    var keys: ProviderKeys { provider.ports.keys }

    /// - Throws: ``AuthError`` for what can't be read.
    init(
        _ request: Request, _ context: LatchkeyRequestContext, of provider: DevelopmentIdentityProvider,
        for route: Route
    ) async throws {
        self.provider = provider
        self.context = context
        headers = request.headers
        authority = request.head.authority
        tenant = context.parameters.get("tenant") ?? "common"
        given = try context.parameters.get("provider").map { name throws(AuthError) in
            guard let vendor = Vendor(rawValue: name) else { throw AuthError(.notFound) }
            return vendor
        }
        if let given, !route.vendors.contains(given) { throw AuthError(.notFound) }
        var parameters = try RequestReading.query(of: request)
        var body = JSONObject()
        switch route.content {
        case .none: break
        case .json: body = try await RequestReading.object(of: request, limits: Self.limits)
        case .form:
            // What the query says, a form does not say again.
            for member in try await RequestReading.formObject(of: request).members {
                guard parameters.updateValue(member.value.stringValue ?? "", forKey: member.name) == nil else {
                    throw AuthError(.invalidRequest, reason: "given twice", field: member.name)
                }
            }
        }
        self.parameters = parameters
        self.body = body
    }

    /// Of what scripts send.
    private static let limits = JSONLimits(depth: 8, members: 100, bytes: 16 << 10)

    /// - Throws: ``AuthErrorCode/notFound``, where the path names nobody.
    var vendor: Vendor {
        get throws(AuthError) {
            guard let given else { throw AuthError(.notFound) }
            return given
        }
    }

    /// A parameter's value; `nil` where it is missing or empty.
    subscript(name: String) -> String? {
        parameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Throws: `invalid_request`.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else {
            throw OAuthError(.badRequest, "invalid_request", "Missing required parameter: \(name)")
        }
        return value
    }

    var language: MessageLanguage {
        if let wished = self["language"].flatMap(MessageLanguage.init(rawValue:)) { return wished }
        return MessageLanguage(acceptLanguage: headers[.acceptLanguage])
    }
}
