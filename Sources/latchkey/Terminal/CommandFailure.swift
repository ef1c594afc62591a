// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// A failure as the command line tells it: one clear line, and an exit code that a script can branch on.
struct CommandFailure: Error, CustomStringConvertible {
    /// After sysexits(3), where it has a code.
    enum Code: Int32 {
        case failure = 1
        case usage = 64
        case badData = 65
        case notFound = 66
        case unavailable = 69
        case conflict = 73
        case configuration = 78
    }

    let message: String
    let code: Code

    init(_ message: String, _ code: Code = .failure) {
        self.message = message
        self.code = code
    }

    var description: String { message }

    /// Any error of a flow or the store, in a line.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as AuthError:
            let code: Code =
                switch error.code {
                case .notFound, .userNotFound, .sessionNotFound, .clientNotFound: .notFound
                case .conflict, .emailExists, .phoneExists: .conflict
                case .unavailable, .overloaded: .unavailable
                case .internalFailure: .failure
                default: .badData
                }
            var text = error.reason ?? error.code.rawValue
            if let field = error.field, !text.contains(field) { text = field + ": " + text }
            if !error.violations.isEmpty { text += ": " + error.violations.map(\.rawValue).joined(separator: ", ") }
            self.init(text, code)
        case let refusal as ProductionDatabase: self.init("\(refusal)", .configuration)
        case let conflict as StoreConflict: self.init("conflict: \(conflict)", .conflict)
        default: self.init("\(error)")
        }
    }
}
