// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A variable of the platform's own auth container that is known and not taken over, and what becomes of a server whose
/// operator has set it. Listed by name: of a name that merely looks like one of these nobody knows what it asks for.
struct OmittedVariable: Sendable {
    /// What is done about a value.
    enum Verdict: Sendable, Equatable {
        /// It asks for what is so here anyway.
        case agrees
        /// The operator is told that nothing comes of it.
        case named
        /// It asks for a protection that would be missing: no server starts that lacks it unasked.
        case refused
    }

    let kind: SelfHostedEnvironment.Finding.Kind
    let reason: String
    /// Of a value that is not empty.
    let verdict: @Sendable (String) -> Verdict

    /// Has no meaning here.
    static func needless(_ reason: String) -> OmittedVariable {
        OmittedVariable(kind: .notNeeded, reason: reason) { _ in .named }
    }

    /// Has no meaning here, and one value says so itself.
    static func needless(_ reason: String, unless value: String) -> OmittedVariable {
        OmittedVariable(kind: .notNeeded, reason: reason) { $0 == value ? .agrees : .named }
    }

    /// Switches something on that is not there. Switched off, it is what it is here.
    static func feature(_ what: String) -> OmittedVariable {
        OmittedVariable(kind: .unsupported, reason: what) { isOff($0) ? .agrees : .named }
    }

    /// A detail of something that is not there.
    static func detail(of what: String) -> OmittedVariable {
        OmittedVariable(kind: .unsupported, reason: what) { _ in .named }
    }

    /// Switches a protection on that is not there.
    static func protection(_ what: String) -> OmittedVariable {
        OmittedVariable(kind: .unsupported, reason: what) { isOff($0) ? .agrees : .refused }
    }

    /// Restricts something that would not be restricted; `value` alone is what is so here.
    static func restriction(_ what: String, unless value: String? = nil) -> OmittedVariable {
        OmittedVariable(kind: .unsupported, reason: what) { $0 == value ? .agrees : .refused }
    }

    private static func isOff(_ text: String) -> Bool { (try? SelfHostedEnvironment.flag(text)) == false }
}
