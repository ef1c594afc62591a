// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a program of the operator's is asked, in the domain's words. A vendor's ``HookForm`` spells it.
public struct HookQuestion: Sendable {
    /// Somebody, as they are stored or as they would be.
    public struct Subject: Sendable {
        public var user: User
        public var identities: [Identity]

        public init(_ user: User, _ identities: [Identity] = []) {
            self.user = user
            self.identities = identities
        }
    }

    public enum Matter: Sendable {
        /// - `provider`: by which they sign up: `email`, `phone`, `anonymous`, or an identity provider's name.
        /// - `isInvited`: by an administrator.
        case signUp(Subject, provider: String, isInvited: Bool)
        case signIn(Subject, methods: [AuthenticationMethod])
        /// - `claims`: those that would be signed; with the access token's first where there are two.
        /// - `trigger`: what it is for, in the words of ``TokenTrigger``.
        case token(Subject, session: Session, groups: [Group], claims: [JSONObject], trigger: TokenTrigger)
        case passwordAttempt(Subject, isRight: Bool)
        case factorAttempt(Subject, factor: FactorID, kind: Factor.Kind, isRight: Bool)
        case mail(Letter, Subject?)
        case text(Letter, Subject?)
        case created(Subject)
        case confirmed(Subject, by: Confirmation)
        /// - `isOnNewDevice`: on one that was given a secret to keep.
        case signedIn(Subject, isOnNewDevice: Bool)
        case wording(Letter, Subject, isText: Bool)
        /// - `password`: that was typed; `nil` where it is forgotten.
        case migration(SignInIdentifier, password: Secret<String>?)
        case challengeDefinition(CustomChallenge)
        case challengeCreation(CustomChallenge, name: String)
        /// - `kept`: as the program that made it gave it.
        case challengeAnswer(CustomChallenge, kept: JSONObject, answer: Secret<String>)
    }

    /// By what an account was confirmed.
    public enum Confirmation: Sendable, Hashable {
        case signUp
        /// Somebody has replaced the password by a recovery's message.
        case recovery
    }

    public enum TokenTrigger: Sendable, Hashable {
        case signIn
        case newPassword
        case refresh
        /// A session whose level has changed.
        case stepUp
        /// Of a sign-in on a page of this server's.
        case page
    }

    public var matter: Matter
    public var call: CallContext
    /// By which a program knows what it was asked before: that of the message which is to be sent, however often that
    /// is tried; `nil` for a question that is asked once.
    public var id: String?

    public init(_ matter: Matter, call: CallContext, id: String? = nil) {
        self.matter = matter
        self.call = call
        self.id = id
    }

    public var moment: HookMoment {
        switch matter {
        case .signUp: .signUp
        case .signIn: .signIn
        case .token: .token
        case .passwordAttempt: .passwordAttempt
        case .factorAttempt: .factorAttempt
        case .mail: .mail
        case .text: .text
        case .created: .created
        case .confirmed: .confirmed
        case .signedIn: .signedIn
        case .wording: .wording
        case .migration: .migration
        case .challengeDefinition: .challengeDefinition
        case .challengeCreation: .challengeCreation
        case .challengeAnswer: .challengeAnswer
        }
    }

    public var subject: Subject? {
        switch matter {
        case .signUp(let subject, _, _), .signIn(let subject, _), .token(let subject, _, _, _, _),
            .passwordAttempt(let subject, _), .factorAttempt(let subject, _, _, _), .created(let subject),
            .confirmed(let subject, _), .signedIn(let subject, _), .wording(_, let subject, _):
            subject
        case .mail(_, let subject), .text(_, let subject): subject
        case .migration: nil
        case .challengeDefinition(let challenge), .challengeCreation(let challenge, _),
            .challengeAnswer(let challenge, _, _):
            challenge.subject
        }
    }

    /// By which the answer is found when the transaction that asked is run again. It says what was asked, so that an
    /// answer is good for no other question.
    var key: String {
        let user = subject?.user
        var parts = [moment.rawValue, user?.email?.rawValue, user?.phone?.e164, user?.username?.rawValue]
        switch matter {
        case .signUp(_, let provider, _): parts.append(provider)
        case .signIn(_, let methods):
            parts += [user?.id.rawValue] + methods.map(\.name.rawValue)
        case .passwordAttempt(_, let isRight): parts += [user?.id.rawValue, "\(isRight)"]
        case .factorAttempt(_, let factor, _, let isRight): parts += [factor.rawValue, "\(isRight)"]
        case .migration(let identifier, let password): parts += [identifier.name, "\(password == nil)"]
        case .token, .mail, .text, .created, .confirmed, .signedIn, .wording, .challengeDefinition,
            .challengeCreation, .challengeAnswer:
            parts.append(user?.id.rawValue)
        }
        return parts.map { $0 ?? "" }.joined(separator: "\n")
    }
}
