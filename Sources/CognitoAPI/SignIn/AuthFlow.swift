// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `AuthFlow` of the service's model: how a sign-in begins.
enum AuthFlow: String, Sendable, CaseIterable {
    case userSRP = "USER_SRP_AUTH"
    case refreshToken = "REFRESH_TOKEN_AUTH"
    case refresh = "REFRESH_TOKEN"
    case custom = "CUSTOM_AUTH"
    case administratorFormer = "ADMIN_NO_SRP_AUTH"
    case userPassword = "USER_PASSWORD_AUTH"
    case administrator = "ADMIN_USER_PASSWORD_AUTH"
    case choice = "USER_AUTH"

    /// Reads the flow of the call, and refuses it unless the operation and the client have it.
    ///
    /// - Throws: `InvalidParameterException`; `UnsupportedOperationException` for flows that this server does not do.
    init(_ call: DialectCall) throws {
        let text = try call.input.required(Member("AuthFlow", oneOf: Self.allCases.map(\.rawValue)))
        guard let flow = AuthFlow(rawValue: text) else { throw Input.missing("AuthFlow") }
        let needed: ClientFlow?
        switch flow {
        case .userSRP: needed = .srp
        case .refresh, .refreshToken: needed = .refresh
        case .userPassword: needed = .password
        case .administrator, .administratorFormer: needed = .administrator
        case .choice: needed = nil
        case .custom:
            guard CustomAuth.isThere(call) else {
                throw WireError("UnsupportedOperationException", "\(text) is not supported by this server.")
            }
            needed = nil
        }
        let isOffered =
            switch needed {
            case .password: !call.isAdministrative
            case .administrator: call.isAdministrative
            case .srp, .refresh, nil: true
            }
        guard isOffered else { throw WireError.parameter("Initiate Auth method not supported") }
        let settings = try call.client().settings
        // A client whose refresh tokens rotate has another operation for them.
        let isAllowed =
            needed.map { settings.flows.contains($0) }
            ?? settings.attributeNames("ExplicitAuthFlows")?.contains(where: flow.names.contains) ?? false
        guard isAllowed, needed != .refresh || !settings.rotatesRefreshTokens else {
            throw WireError.parameter("\(call.isAdministrative ? "Auth" : text) flow not enabled for this client")
        }
        self = flow
    }
}

extension AuthFlow {
    /// What a client's `ExplicitAuthFlows` call a flow that is this dialect's alone.
    private var names: Set<String> {
        switch self {
        case .choice: ["ALLOW_USER_AUTH"]
        case .custom: ["ALLOW_CUSTOM_AUTH", "CUSTOM_AUTH_FLOW_ONLY"]
        default: []
        }
    }
}

extension DialectCall {
    /// Whether an access key signed the call.
    var isAdministrative: Bool { if case .administrator = caller { true } else { false } }
}
