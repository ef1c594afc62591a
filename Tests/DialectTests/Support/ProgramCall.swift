// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

@testable import CognitoAPI
@testable import FirebaseAPI
@testable import OpenIDProvider
@testable import SupabaseAPI

/// One way to call one operation with a credential, and what the operation asks for when it is called so.
///
/// All of them are made of the dialects' own tables, and every kind of access is met by a `switch` that has no default:
/// an operation or a kind that is added is in here, or does not compile.
struct ProgramCall: Sendable {
    enum Surface: Sendable { case supabase, management, firebase, app, cognito, openID }

    var surface: Surface
    var method: HTTPRequest.Method
    var path: String
    var headers: [String: String] = [:]
    var body: String?
    var demand: ProgramDemand

    /// - Parameters:
    ///   - credential: the text to come with; `nil` for none.
    ///   - user: in place of whatever a path calls a user.
    static func all(with credential: String?, user: String) -> [ProgramCall] {
        var calls = supabase(credential) + management(credential) + firebase(credential) + app(credential)
        calls += cognito(credential) + openID(credential)
        for index in calls.indices {
            calls[index].path = filled(calls[index].path, user: user)
            if calls[index].method != .get, calls[index].body == nil { calls[index].body = "{}" }
        }
        return calls
    }

    static func bearer(_ credential: String?) -> [String: String] {
        credential.map { ["authorization": "Bearer " + $0] } ?? [:]
    }

    // MARK: Supabase

    private static func supabase(_ credential: String?) -> [ProgramCall] {
        let named = credential.map { ["apikey": $0] } ?? [:]
        return (SupabaseAPI.Route.all + SupabaseAPI.Route.switchedOff).flatMap { route in
            let demand: ProgramDemand =
                switch route.access {
                case .open: .nothing
                case .project: .directory
                case _ where route.gate == .first: .nothing
                case .user, .holder, .unnamedHolder, .token: .user
                case .administrator: .scope("admin:users")
                }
            return [named, named.merging(bearer(credential)) { $1 }].map {
                ProgramCall(
                    surface: .supabase, method: route.method, path: "/auth/v1" + route.path, headers: $0, demand: demand
                )
            }
        }
    }

    private static func management(_ credential: String?) -> [ProgramCall] {
        ProjectEndpoints.operations.map {
            ProgramCall(
                surface: .management, method: $0.method, path: ProjectEndpoints.prefix + $0.path,
                headers: bearer(credential), demand: .scope("admin:directories"))
        }
    }

    // MARK: Firebase

    private static func firebase(_ credential: String?) -> [ProgramCall] {
        // What is for development is not there.
        FirebaseAPI.Route.all.filter { $0.access != .emulator }.flatMap { route in
            let path = route.paths[0]
            let asApp: ProgramDemand =
                switch route.access {
                case .open, .link: .nothing
                case .client: route.limit == .unlimited(.administrators) ? .user : .publishableKey
                case .administrator, .tenants, .providers, .serviceAccounts, .emulator: .user
                }
            let asProgram: ProgramDemand =
                switch route.access {
                case .open, .link: .nothing
                case .client, .administrator: .scope("admin:users")
                case .tenants, .providers: .scope("admin:directories")
                case .serviceAccounts: .scope("admin:keys")
                case .emulator: .user
                }
            return [
                ProgramCall(
                    surface: .firebase, method: route.method, path: path + (credential.map { "?key=" + $0 } ?? ""),
                    demand: asApp),
                ProgramCall(
                    surface: .firebase, method: route.method, path: path, headers: bearer(credential),
                    demand: credential == nil ? asApp : asProgram),
            ]
        }
    }

    // MARK: Cognito

    /// Here programs sign with access keys, and API keys are good for nothing.
    private static func cognito(_ credential: String?) -> [ProgramCall] {
        CognitoAPI.Operation.all.map { operation in
            let demand: ProgramDemand =
                switch operation.access {
                case .client: .nothing
                case .user, .holder, .pool, .server: .user
                }
            var common = ["x-amz-target": "AWSCognitoIdentityProviderService." + operation.name]
            common["content-type"] = "application/x-amz-json-1.1"
            if let credential { common["x-api-key"] = credential }
            return ProgramCall(
                surface: .cognito, method: .post, path: "/", headers: common.merging(bearer(credential)) { $1 },
                body: #"{"AccessToken":"\#(credential ?? "nothing")"}"#, demand: demand)
        }
    }

    // MARK: OpenID

    /// Clients prove themselves by what they were registered with, and tokens are users': API keys are good for
    /// nothing.
    private static func openID(_ credential: String?) -> [ProgramCall] {
        OpenIDProvider.routes.enumerated().flatMap { index, route in
            let demand: ProgramDemand =
                switch (route.audience, route.caller) {
                case (.person, _): .nothing
                case (.program, .client): .user
                // Who registers a client comes with a token for that, which no key is.
                case (.program, .anybody) where route.paths[0].hasPrefix("/oauth2/register"): .user
                case (.program, .anybody): route.limit == .unlimited(.signedIn) ? .user : .nothing
                }
            let type = route.takesJSON ? "application/json" : "application/x-www-form-urlencoded"
            var common = ["x-api-key": credential ?? "", "content-type": type]
            if credential == nil { common["x-api-key"] = nil }
            let isForm = route.method == .post && !route.takesJSON
            var calls = [
                ProgramCall(
                    surface: .openID, method: route.method, path: route.paths[0],
                    headers: common.merging(bearer(credential)) { $1 }, body: isForm ? "" : nil, demand: demand)
            ]
            if let credential, route.caller == .client {
                calls.append(
                    ProgramCall(
                        surface: .openID, method: route.method, path: route.paths[0], headers: common,
                        // One for each operation: wrong secrets are counted by client.
                        body: "client_id=program\(index)&client_secret=\(credential)", demand: demand))
            }
            return calls
        }
    }

    // MARK: Paths

    /// The path with something at every place that has a name: the project and the user are there, all else is
    /// nobody's.
    private static func filled(_ path: String, user: String) -> String {
        let names = ["{project}": "default", "{ref}": "nowhere", "{user_id}": user, "{id}": user]
        var path = path
        for (name, value) in names { path = path.replacing(name, with: value) }
        return path.replacing(#/\{[a-z_]+\}/#, with: "none")
    }
}
