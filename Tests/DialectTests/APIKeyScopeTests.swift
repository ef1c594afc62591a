// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// One table over all that programs call: what they may do is said by what they come with, whichever dialect they
/// speak.
@Suite("What programs' credentials are good for") struct APIKeyScopeTests {
    @Test(
        "R10.1 C-6 each credential opens what its kind and its scopes say, in every dialect",
        arguments: ProgramCredential.all)
    func table(credential: ProgramCredential) async throws {
        let bench = try await ProgramBench()
        let user = try await bench.addUser()
        var mayChange = false
        // Supabase knows opaque keys by their form, and the others take any.
        let forms: [String?] = if case .key(let kind, _, _) = credential { [nil, "sb_\(kind)_"] } else { [nil] }
        for form in forms {
            let text = try await bench.text(of: credential, form: form)
            let before = try await bench.state()
            for call in ProgramCall.all(with: text, user: user.rawValue) {
                // What lets anybody in is asked by nobody, once: some of it makes RSA keys.
                if call.demand == .nothing, text != nil { continue }
                // Of the other form it is one more text that nobody knows: once is enough.
                if call.surface == .supabase, forms.count > 1, form == nil { continue }
                if ![.supabase, .management].contains(call.surface), form != nil { continue }
                let reply = try await bench.send(call)
                let isOpen = Self.isOpen(call, to: credential, form: form)
                mayChange = mayChange || (isOpen && call.demand != .nothing)
                let isRefused = ProgramBench.isRefusal(reply, by: call.surface)
                #expect(
                    isRefused == !isOpen && (reply.status < 500 || reply.status == 501),
                    "\(call.surface) \(call.method) \(call.path) \(call.headers.keys) \(reply.status) \(reply.text)")
                if let text { #expect(!reply.text.contains(text), "\(call.path) repeats the key") }
            }
            if !mayChange { #expect(try await bench.state() == before) }
        }
    }

    /// What the table says.
    private static func isOpen(_ call: ProgramCall, to credential: ProgramCredential, form: String?) -> Bool {
        switch (call.demand, call.surface) {
        case (.nothing, _): return true
        case (.user, _): return false
        case (.publishableKey, _):
            if case .key(.publishable, _, .good) = credential { return true }
            return false
        case (.directory, _), (.scope, .supabase), (.scope, .management):
            switch credential {
            case .serviceRoleToken: return true
            case .anonymousToken: return call.demand == .directory
            case .key where form != nil:
                guard case .scope(let scope) = call.demand else { return credential.isGood }
                return credential.has(scope)
            case .nothing, .key, .serviceAccount: return false
            }
        case (.scope(let scope), .app):
            guard case .key = credential else { return false }
            return credential.has(scope)
        case (.scope(let scope), _): return credential.has(scope)
        }
    }

    @Test(
        "R10.1 C-6 the App API takes keys by X-API-Key alone, a bad one is a 401 beside any token, and none is a user")
    func appKeys() async throws {
        let bench = try await ProgramBench()
        let user = try await bench.addUser()
        let key = try #require(try await bench.text(of: .key(.secret, ["admin:users"])))
        let service = try #require(try await bench.text(of: .serviceRoleToken))
        #expect(try await bench.app(.get, "/v1/admin/users/\(user)", key: key).status == 200)
        // It is the key that is judged, whatever stands beside it.
        #expect(try await bench.app(.get, "/v1/admin/users", key: key, token: "x").status == 200)
        for bad in ["", "x", key + "x", key.uppercased(), " ", String(repeating: "a", count: 5000), service] {
            let reply = try await bench.app(.get, "/v1/admin/users", key: bad, token: service)
            #expect(reply.status == 401 && reply["error"] == "invalid_api_key", "\(reply.text)")
            #expect(
                reply["code"] == "api_key_invalid" && reply[header: "WWW-Authenticate"] == #"Bearer realm="latchkey""#)
        }
        for path in ["/v1/me", "/v1/activities"] {
            let reply = try await bench.app(.get, path, key: key)
            #expect(reply.status == 403 && reply["error"] == "insufficient_scope", "\(reply.text)")
        }
    }

    @Test("R10.1 C-6 a key of one Directory reaches that one, in every dialect")
    func directories() async throws {
        let bench = try await ProgramBench()
        let user = try await bench.addUser()
        let other = try await DirectoryAdministration(bench.accounts.ports).create(
            name: "other", at: bench.accounts.now)
        func key(_ form: String?) async throws -> String {
            try await APIKeyAdministration(bench.accounts.ports).create(
                .secret, name: "foreign", prefix: form, in: other, at: bench.accounts.now
            ).secret.reveal()
        }
        let own = try await key(nil)
        #expect(try await bench.app(.get, "/v1/admin/users/\(user)", key: own).status == 404)
        let listed = try await bench.app(.get, "/v1/admin/users", key: own)
        #expect(listed.status == 200 && listed["users"] == [], "\(listed.text)")
        for form in [nil, "sb_secret_"] {
            for call in ProgramCall.all(with: try await key(form), user: user.rawValue) {
                // The App API has no other place for it than its own Directory.
                guard call.surface != .app, call.demand != .nothing else { continue }
                // Nor have those of Firebase's paths that name no project.
                guard call.surface != .firebase || call.path.contains("/projects/") else { continue }
                let reply = try await bench.send(call)
                #expect(ProgramBench.isRefusal(reply, by: call.surface), "\(call.path) \(reply.status) \(reply.text)")
            }
        }
    }

    @Test("R10.1 C-6 what a program did has its key's name in the audit log, and ends with the key")
    func names() async throws {
        let bench = try await ProgramBench()
        let administration = APIKeyAdministration(bench.accounts.ports)
        for form in [nil, "sb_secret_"] {
            let user = try await bench.addUser()
            let key = try #require(try await bench.text(of: .key(.secret, []), form: form))
            let stored = try #require(
                try await administration.list(in: bench.accounts.directory)
                    .first { $0.revokedAt == nil })
            let headers = ["apikey": key, "authorization": "Bearer " + key]
            let path =
                form == nil
                ? "/identitytoolkit.googleapis.com/v1/projects/default/accounts:delete" : "/auth/v1/admin/users/\(user)"
            let deleted = try await bench.send(
                ProgramCall(
                    surface: form == nil ? .firebase : .supabase, method: form == nil ? .post : .delete, path: path,
                    headers: headers, body: form == nil ? #"{"localId":"\#(user)"}"# : "{}", demand: .nothing))
            #expect(deleted.status == 200, "\(deleted.text)")
            let log = try await bench.app(.get, "/v1/admin/audit?user=\(user)&action=user_deleted", key: key)
            let event = try #require(log["events"]?.arrayValue?.first?.objectValue, "\(log.text)")
            #expect(event["actor"]?.stringValue == "administrator:api-key:\(stored.id)")
            try await administration.revoke(stored.id, in: bench.accounts.directory, at: bench.accounts.now)
            #expect(try await bench.app(.get, "/v1/admin/audit", key: key).status == 401)
        }
    }

    @Test("R10.1 a key is shown no key that may do more than it may itself")
    func shownKeys() async throws {
        let bench = try await ProgramBench()
        let path = "/api.supabase.com/v1/projects/default/api-keys"
        for (scopes, isShown) in [
            (["admin:directories"], false), (["admin:directories", "admin:users"], true), ([], true),
        ] {
            let key = try #require(try await bench.text(of: .key(.secret, scopes), form: "sb_secret_"))
            let reply = try await bench.send(
                ProgramCall(
                    surface: .management, method: .get, path: path, headers: ["authorization": "Bearer " + key],
                    demand: .nothing))
            let keys = try JSONValue(parsing: reply.text.utf8).arrayValue?.compactMap(\.objectValue) ?? []
            #expect(keys.map { $0["name"] } == ["anon", "service_role"], "\(reply.text)")
            #expect((keys.last?["api_key"] != .null) == isShown && keys.first?["api_key"] != .null, "\(scopes)")
        }
    }
}
