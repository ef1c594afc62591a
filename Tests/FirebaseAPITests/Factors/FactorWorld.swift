// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// A ``FirebaseBench`` with one user, who sets up second factors.
struct FactorWorld: Sendable {
    static let email = "ada@example.com"
    static let number = "+4915112345678"

    let bench: FirebaseBench
    let user: String

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        bench = try await FirebaseBench {
            $0.factors.phone = .on
            $0.limits.verify = DirectorySettings.Rate(count: 1000, seconds: 300)
            change(&$0)
        }
        user = try await bench.addUser(Self.email)
    }

    /// A call of the second version of the API.
    func call(_ operation: String, _ body: JSONObject) async throws -> FirebaseBench.Reply {
        try await bench.send(
            .post, "\(FirebaseBench.toolkit)/v2/accounts/\(operation)?key=\(bench.key)",
            body: JSONValue.object(body).text)
    }

    /// The ID token of a sign-in that asks for no second factor.
    func token() async throws -> JSONValue {
        let reply = try await bench.signIn(Self.email)
        return try #require(reply["idToken"], "\(reply.text)")
    }

    /// A sign-in that asks for one.
    func pending() async throws -> JSONValue {
        let reply = try await bench.signIn(Self.email)
        return try #require(reply["mfaPendingCredential"], "\(reply.text)")
    }

    // MARK: Authenticator apps

    /// An app that shows the codes of a secret.
    struct App: Sendable {
        var session: JSONValue
        var secret: Secret<[UInt8]>
        /// Once it counts.
        var id: JSONValue = .null

        func code(at now: Instant, drift: Int64 = 0) -> JSONValue {
            .string(TOTP().code(at: TOTP().step(at: now) + drift, of: secret))
        }
    }

    func begin(_ token: JSONValue) async throws -> App {
        let reply = try await call("mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(reply["totpSessionInfo"]?.objectValue, "\(reply.text)")
        let secret = try #require(info["sharedSecretKey"]?.stringValue.flatMap(Base32.decode))
        return App(session: try #require(info["sessionInfo"]), secret: Secret(secret))
    }

    func finish(
        _ app: App, _ token: JSONValue, code: JSONValue? = nil, name: JSONValue = "phone"
    ) async throws -> FirebaseBench.Reply {
        try await call(
            "mfaEnrollment:finalize",
            [
                "idToken": token, "displayName": name,
                "totpVerificationInfo": [
                    "sessionInfo": app.session, "verificationCode": code ?? app.code(at: bench.now),
                ],
            ])
    }

    /// An app that counts, whose code of this moment was not used.
    func app() async throws -> App {
        let token = try await token()
        var app = try await begin(token)
        let reply = try await finish(app, token)
        #expect(reply.status == 200, "\(reply.text)")
        app.id = try #require(try await enrolments().first?["mfaEnrollmentId"])
        bench.advance(.seconds(30))
        return app
    }

    func answer(
        _ app: App, _ pending: JSONValue, code: JSONValue? = nil
    ) async throws -> FirebaseBench.Reply {
        try await call(
            "mfaSignIn:finalize",
            [
                "mfaPendingCredential": pending, "mfaEnrollmentId": app.id,
                "totpVerificationInfo": ["verificationCode": code ?? app.code(at: bench.now)],
            ])
    }

    /// `mfaInfo` as the operator sees it.
    func enrolments() async throws -> [JSONObject] {
        let reply = try await bench.administer("/accounts:lookup", ["localId": [.string(user)]])
        let shown = reply["users"]?.arrayValue?.first?.objectValue
        return (shown?["mfaInfo"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    /// `firebase` of an answer's ID token.
    static func claims(_ reply: FirebaseBench.Reply) throws -> JSONObject {
        try #require(try FirebaseBench.claims(reply["idToken"]?.stringValue)["firebase"]?.objectValue)
    }

    /// A code of six digits that the app does not show.
    func wrong(_ app: App) -> JSONValue {
        let right = Set((-1...1).compactMap { app.code(at: bench.now, drift: $0).stringValue })
        let wrong = (0..<10).map { String(repeating: String($0), count: 6) }.first { !right.contains($0) }
        return .string(wrong ?? "")
    }
}
