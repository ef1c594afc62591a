// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What goes back to the app through the browser.
struct AuthorizationReply: Sendable {
    let request: AuthorizationRequest
    private var fields: [(name: String, value: String)]

    /// A code, with what each vendor sends along.
    ///
    /// - Parameter isFirst: whether the app has not known this person before.
    init(code: String, of person: Person, to request: AuthorizationRequest, isFirst: Bool, url: String) {
        self.request = request
        fields = [("code", code)]
        addCommon(url)
        switch request.vendor {
        case .google:
            fields += [("scope", request.scopes.joined(separator: " ")), ("authuser", "0"), ("prompt", "consent")]
            if let domain = person.hostedDomain { fields.append(("hd", domain)) }
        case .apple:
            // Once in a lifetime, and unsigned.
            if isFirst, request.scopes.contains("name") || request.scopes.contains("email") {
                fields.append(("user", Self.user(person, request.scopes).text))
            }
        case .microsoft: fields.append(("session_state", "00000000-0000-4000-8000-000000000000"))
        case .openID, .gitHub, .facebook: break
        }
    }

    init(_ error: AuthorizationRequest.Told, url: String) {
        request = error.request
        fields = [("error", error.code)]
        // Apple says no more than that.
        if request.vendor != .apple { fields.append(("error_description", error.description)) }
        if request.vendor == .facebook { fields += [("error_code", "200"), ("error_reason", "user_denied")] }
        addCommon(url)
    }

    private mutating func addCommon(_ url: String) {
        if let state = request.state { fields.append(("state", state)) }
        if request.vendor.namesItself {
            fields.append(("iss", request.vendor.answerIssuer(url: url, tenant: request.tenant)))
        }
    }

    func response(in language: MessageLanguage) -> Response {
        if request.answersByForm {
            return FormPostPage(target: request.redirectURI, fields: fields, language: language).response
        }
        let query = fields.map { "\($0.name)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
        let separator = request.redirectURI.contains("?") ? "&" : "?"
        // What Facebook's redirects end with.
        let end = request.vendor == .facebook ? "#_=_" : ""
        return Response(
            status: .seeOther,
            headers: [.location: request.redirectURI + separator + query + end, .cacheControl: "no-store"])
    }

    private static func user(_ person: Person, _ scopes: [String]) -> JSONObject {
        var user = JSONObject()
        if scopes.contains("name") {
            user["name"] = [
                "firstName": .string(person.givenName ?? ""), "lastName": .string(person.familyName ?? ""),
            ]
        }
        if scopes.contains("email") { user["email"] = person.email.map { .string($0) } }
        return user
    }
}
