// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import TokenVerifier

extension AccessRefusal: HTTPResponseError {
    public var status: HTTPResponse.Status {
        switch cause {
        case .severalCredentials: .badRequest
        // RFC 9470, section 3: the user can do something about it by signing in again, as after any 401.
        case .insufficient(.assurance), .insufficient(.authentication): .unauthorized
        case .insufficient: .forbidden
        case _ where isUnavailability: .serviceUnavailable
        default: .unauthorized
        }
    }

    /// What a program branches on: the codes of RFC 6750, section 3.1, RFC 9449, section 12.2, and RFC 9470,
    /// section 3, where they fit.
    public var error: String {
        switch cause {
        case .noCredentials: "unauthorized"
        case .severalCredentials: "invalid_request"
        case .apiKey: "invalid_api_key"
        case .insufficient(.assurance), .insufficient(.authentication): "insufficient_user_authentication"
        case .proof: "invalid_dpop_proof"
        case .nonceNeeded: "use_dpop_nonce"
        case .insufficient: "insufficient_scope"
        case _ where isUnavailability: "temporarily_unavailable"
        default: "invalid_token"
        }
    }

    /// For a developer to read. It says that a token has expired, because its holder can do something about that; of
    /// every other fault it says only that there is one.
    public var errorDescription: String {
        switch cause {
        case .noCredentials: "An access token is needed"
        case .severalCredentials: "More than one Authorization header"
        case .apiKey: "The API key is not valid"
        case .insufficient(.assurance): "A stronger sign-in is needed"
        case .insufficient(.authentication): "A more recent or stronger sign-in is needed"
        case .proof: "The proof of the token's key is missing or not valid"
        case .nonceNeeded: "The proof needs the nonce of this answer"
        case .insufficient: "The access token does not allow this"
        case _ where isUnavailability: "The access token can't be checked at the moment"
        case .token(let error) where error.code == .expired: "The access token has expired"
        default: "The access token is not valid"
        }
    }

    /// `WWW-Authenticate`; `nil` for an answer that is not about credentials.
    public var challenge: String? {
        let bare = opening
        let named = bare + ", error=\"\(error)\", error_description=\"\(errorDescription)\""
        switch cause {
        // RFC 6750, section 3.1: without credentials the challenge names no error. Its codes are not for API keys.
        case .noCredentials, .apiKey: return bare
        case .insufficient(.scopes(let scopes)):
            return named + ", scope=" + Self.quoted(scopes.sorted().joined(separator: " "))
        case .insufficient(.assurance(let level)): return named + ", acr_values=\"aal\(level)\""
        case .insufficient(.authentication(let classes, let maxAge)):
            // RFC 9470, section 3: what the client is to ask for at the authorization endpoint.
            return named + (classes.isEmpty ? "" : ", acr_values=" + Self.quoted(classes.joined(separator: " ")))
                + (maxAge.map { ", max_age=\"\($0)\"" } ?? "")
        case _ where isUnavailability: return nil
        default: return named
        }
    }

    private var opening: String {
        switch scheme {
        case .bearer: "Bearer realm=\(Self.quoted(realm))"
        case .dpop(let algorithms):
            "DPoP realm=\(Self.quoted(realm)), algs=\(Self.quoted(algorithms.joined(separator: " ")))"
        }
    }

    /// The nonce that the next proof is to have (RFC 9449, section 9).
    public var nonce: String? { if case .nonceNeeded(let nonce) = cause { nonce } else { nil } }

    /// Whole seconds, rounded up, of a refusal that is worth trying again.
    var retryAfterSeconds: Int64? {
        guard isUnavailability else { return nil }
        guard case .token(let error) = cause, let wait = error.retryAfter else { return 5 }
        return max(1, wait.seconds + (wait.microseconds % 1_000_000 > 0 ? 1 : 0))
    }

    public func response(from request: Request, context _: some RequestContext) throws -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.wwwAuthenticate] = challenge
        headers[.dpopNonce] = nonce
        headers[.retryAfter] = retryAfterSeconds.map(String.init)
        let body: JSONObject = ["error": .string(error), "error_description": .string(errorDescription)]
        let response = Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body.serialized())))
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// A quoted-string (RFC 9110, section 5.6.4) of what may stand in one.
    private static func quoted(_ text: String) -> String {
        let allowed = text.unicodeScalars.filter { (32...126).contains($0.value) && $0 != "\"" && $0 != "\\" }
        return "\"" + String(String.UnicodeScalarView(allowed)) + "\""
    }
}
