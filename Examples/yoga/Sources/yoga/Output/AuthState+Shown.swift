// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

extension AuthState {
    /// For a line.
    var line: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut(let reason): "signed out: \(reason.message.text(in: Output.language))"
        case .signedIn(let user): "signed in as \(user.shown)"
        case .refreshing(let user): "refreshing, signed in as \(user.shown)"
        case .offline(let access, let user): "offline (\(access.rawValue)), signed in as \(user.shown)"
        case .blocked(let user): "blocked, signed in as \(user.shown)"
        case .storeLocked: "the store is locked"
        case .awaiting(let step): "awaiting \(step.word)\(step.destination.map { ", sent to \($0)" } ?? "")"
        }
    }

    /// For scripts.
    var object: JSONObject {
        switch self {
        case .restoring: ["state": "restoring"]
        case .signedOut(let reason): ["state": "signedOut", "reason": .string(reason.rawValue)]
        case .signedIn(let user): ["state": "signedIn", "user": .object(user.object)]
        case .refreshing(let user): ["state": "refreshing", "user": .object(user.object)]
        case .offline(let access, let user):
            ["state": "offline", "access": .string(access.rawValue), "user": .object(user.object)]
        case .blocked(let user): ["state": "blocked", "user": .object(user.object)]
        case .storeLocked: ["state": "storeLocked"]
        case .awaiting(let step): ["state": "awaiting", "step": .string(step.word)]
        }
    }
}

extension SessionUser {
    var shown: String { email ?? name ?? subject }

    var object: JSONObject {
        var object: JSONObject = ["sub": .string(subject)]
        object["email"] = email.map { .string($0) }
        object["emailVerified"] = emailVerified.map { .bool($0) }
        object["name"] = name.map { .string($0) }
        return object
    }
}

extension AwaitedStep {
    var word: String {
        switch kind {
        case .confirmation: "confirmation"
        case .newPassword: "a new password"
        case .oneTimePassword: "a code of the authenticator app"
        case .code: "a code"
        case .choice(let ways): "a choice of \(ways.joined(separator: ", "))"
        case .linking(let providers): "a sign-in by \(providers.joined(separator: ", "))"
        case .enrolment(let kinds): "a second factor to be set up: \(kinds.map(\.rawValue).joined(separator: ", "))"
        case .passkey: "a passkey"
        }
    }
}
