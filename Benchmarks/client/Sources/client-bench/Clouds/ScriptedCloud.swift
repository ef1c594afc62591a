// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// A Supabase project's Auth API as far as signing in and out goes, in this process.
final class ScriptedCloud: HTTPTransport {
    let sessions = CloudSessions(rotates: true)
    var refreshes: Int { sessions.refreshes }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let body = (try? JSONObject(parsing: request.body)) ?? [:]
        if request.url.hasSuffix("/token?grant_type=password") {
            let user = body["email"]?.stringValue ?? ""
            return answer(sessions.open(user), CloudSessions.Session(user: user))
        }
        if request.url.hasSuffix("/token?grant_type=refresh_token") {
            guard let (number, session) = sessions.refresh(body["refresh_token"]?.stringValue ?? "") else {
                return .json(["code": "refresh_token_not_found", "message": "Invalid Refresh Token"], status: 400)
            }
            return answer(number, session)
        }
        let token = request.headers.first { $0.name == "Authorization" }?.value ?? ""
        guard let number = sessions.number(in: token), let session = sessions.session(number) else {
            return .json(["code": "session_not_found", "message": "Session not found"], status: 403)
        }
        if request.url.contains("/logout") {
            sessions.close(number)
            return HTTPResponse(status: 204)
        }
        return .json(Self.user(session))
    }

    private func answer(_ number: Int, _ session: CloudSessions.Session) -> HTTPResponse {
        .json([
            "access_token": .string("access.\(number).\(session.refreshes)." + Self.padding), "token_type": "bearer",
            "expires_in": 3600, "refresh_token": .string("refresh.\(number).\(session.refreshes)"),
            "user": .object(Self.user(session)),
        ])
    }

    private static func user(_ session: CloudSessions.Session) -> JSONObject {
        [
            "id": .string(session.user), "email": .string(session.user), "aud": "authenticated",
            "email_confirmed_at": "2026-01-01T00:00:00Z", "app_metadata": ["provider": "email"],
            "user_metadata": ["name": "Somebody"],
        ]
    }

    /// What makes a token as long as a real one.
    static let padding = String(repeating: "x", count: 800)
}
