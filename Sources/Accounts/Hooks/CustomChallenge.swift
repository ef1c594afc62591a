// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A sign-in whose challenges programs of the operator's make and judge: what they are told of it.
public struct CustomChallenge: Sendable {
    /// What somebody is asked for.
    public enum Kind: Sendable, Equatable {
        /// What a program makes and judges, as the vendor calls it.
        case own(String)
        /// That the client begins to prove the password, which is right wherever one does.
        case passwordBegun
        /// That it knows the password.
        case password
    }

    /// One that was answered.
    public struct Answered: Sendable, Equatable {
        public var kind: Kind
        public var isRight: Bool
        /// What the program that made it calls it.
        public var metadata: String?

        public init(_ kind: Kind, isRight: Bool, metadata: String? = nil) {
            self.kind = kind
            self.isRight = isRight
            self.metadata = metadata
        }
    }

    /// What comes after those that were answered.
    public enum Next: Sendable, Equatable {
        case session
        case refusal
        /// One of a program's own, which the vendor calls so.
        case challenge(String)
        /// The password, of a sign-in that was begun with it.
        case password
    }

    /// One that was made.
    public struct Made: Sendable {
        /// What the client is shown.
        public var shown: JSONObject
        /// What the answer is judged by. The client carries it sealed.
        public var kept: JSONObject
        public var metadata: String?

        public init(shown: JSONObject, kept: JSONObject, metadata: String?) {
            self.shown = shown
            self.kept = kept
            self.metadata = metadata
        }
    }

    /// As somebody named themselves.
    public var identifier: SignInIdentifier
    /// `nil` for a name that nobody has: programs are asked all the same.
    public var subject: HookQuestion.Subject?
    /// The earliest first.
    public var answered: [Answered]
}
