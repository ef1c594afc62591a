// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What somebody has proved of who they are, by whichever way in.
public struct SignInProof: Sendable, Hashable {
    /// How, and when, in the order in which it was shown.
    public var methods: [AuthenticationMethod]
    /// How sure it makes the server (NIST SP 800-63B, section 2).
    public var assurance: AssuranceLevel
    /// What the user named themselves by, where they typed a password: that must be confirmed, or for a name any of
    /// their addresses.
    public var identifier: SignInIdentifier?
    /// What a program of the operator's vouches for beside who it is: see ``AccountModel/Session/claims``.
    public var claims: JSONObject
    /// The device that its holder says they are on.
    public var device: RememberedDeviceID?
    /// Whether a session goes on by it that was opened before: no second factor is asked for.
    var isContinuation = false
    /// Whether that one was anybody's, of whom nothing was asked yet.
    var wasAnonymous = false

    public init(
        methods: [AuthenticationMethod], assurance: AssuranceLevel, identifier: SignInIdentifier? = nil,
        claims: JSONObject = [:]
    ) {
        self.methods = methods
        self.assurance = assurance
        self.identifier = identifier
        self.claims = claims
    }

    /// A proof by one method, which is one factor.
    public init(_ method: AuthenticationMethod.Name, at now: Instant, identifier: SignInIdentifier? = nil) {
        self.init(methods: [AuthenticationMethod(method, at: now)], assurance: .aal1, identifier: identifier)
    }

    /// A proof by a message that was answered.
    ///
    /// - Parameter recipient: the address or number that it went to.
    init(
        _ method: AuthenticationMethod.Name, answeredAt recipient: String, identifier: SignInIdentifier? = nil,
        _ call: CallContext
    ) {
        self.init(
            methods: [AuthenticationMethod(method, answeredAt: recipient, call)], assurance: .aal1,
            identifier: identifier)
    }

    /// With a second factor beside it: at `aal2`.
    func adding(_ method: AuthenticationMethod) -> SignInProof {
        var proof = self
        proof.methods = methods.adding(method)
        proof.assurance = max(assurance, .aal2)
        return proof
    }

    /// Whether a passkey has said who it is.
    var isByPasskey: Bool { includes(.passkey) || includes(.passkeyPresence) }

    /// Whether it is a program of the operator's alone that has said who it is.
    var isVouchedFor: Bool { includes(.assertion) || includes(.custom) && !includes(.password) }

    func includes(_ method: AuthenticationMethod.Name) -> Bool { methods.contains { $0.name == method } }
}

extension AuthenticationMethod {
    /// That a message was answered now which went to `recipient`.
    init(_ name: Name, answeredAt recipient: String, _ call: CallContext) {
        self.init(name, at: call.now, recipient: Self.mark(of: recipient, under: call.directory.tokenKey))
    }
}

extension [AuthenticationMethod] {
    /// With a method that was shown now, in place of the same shown before. Two factors of one kind are two.
    func adding(_ method: AuthenticationMethod) -> Self { filter { !$0.isSame(as: method) } + [method] }

    /// Whether one of them was a message that was answered at this address or number: whoever reads what is sent there
    /// has shown that already, and shows nothing more by a code that goes there, too.
    func wereAnswered(at address: String, in directory: Directory) -> Bool {
        let mark = AuthenticationMethod.mark(of: address, under: directory.tokenKey)
        return contains { $0.recipient == mark }
    }
}
