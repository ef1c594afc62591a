// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Signs somebody up by a name, which is theirs alone and told to be taken. An address and a number beside it are
/// nobody's name: others may have them too, until somebody proves that they are theirs (``AddressHolders``). So there
/// is nothing to hide, and each sign-up makes an account of its own.
struct NamedSignUp {
    private let ports: AccountPorts

    init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: As ``SignUp``; ``AuthErrorCode/usernameExists``, ``AuthErrorCode/mailRateLimited`` or
    ///   ``AuthErrorCode/messageRateLimited`` for an address that was sent too much of late.
    func callAsFunction(_ name: Username, _ command: SignUpCommand, call: CallContext) async throws -> SignUpOutcome {
        let given: [Recipient?] = [command.email.map { .email($0) }, command.phone.map { .phone($0) }]
        let recipient = given.compactMap(\.self).first(where: command.sends)
        let settings = call.settings.signUp
        let confirmsItself =
            switch recipient {
            case .email: settings.emailAutoConfirm
            case .phone: settings.phoneAutoConfirm
            case nil: false
            }
        if let recipient, !confirmsItself {
            try ports.requireReach(recipient, call: call)
            try await ports.limits.requireRoom(forUnprovedBy: recipient.channel, call: call, store: ports.store)
        }
        try call.requireAcceptable(command.password, email: command.email)
        let id: UserID = ports.random.identifier()
        let new = try await NewPassword(command.password, for: id, call: call, ports: ports)
        return try await ports.write(call) { step in
            guard try step.tx.owner(of: name, in: step.directory) == nil else {
                throw AuthError(.usernameExists, field: "username")
            }
            var user = User(id: id, directoryID: step.directory, createdAt: step.now)
            (user.username, user.email) = (name, command.email)
            // A message confirms one of the two.
            if case .email = recipient { user.pendingPhone = command.phone } else { user.phone = command.phone }
            (user.sharesEmail, user.sharesPhone) = (true, true)
            try PasswordReplacement.Password.new(new).give(to: &user, step)
            try user.describe(metadata: command.userMetadata, attributes: command.attributes, call: call)
            user.name(providers: LocalIdentities.providers(of: user))
            if confirmsItself { try Self.confirm(&user, step) }
            try step.admit(&user, by: LocalIdentities.email)
            if user.isProved { try AddressClaims(step).requireUnique(user) }
            try step.tx.insert(user)
            let identities = try LocalIdentities(step).insert(for: user)
            step.followCreation(of: user)
            step.followConfirmation(of: user)
            try AgreementLog.noteSignUp(of: user, step)
            if confirmsItself || user.isConfirmed {
                try step.record(.signedUp, user)
                let proof = SignInProof(.password, at: step.now, identifier: command.identifier)
                return .signedIn(try SessionIssuer(step).conclude(proof, of: user, .stored).get())
            }
            guard let recipient else {
                try step.record(.signedUp, user)
                return .unconfirmed(UserRecord(user: user, identities: identities))
            }
            try Self.send(to: &user, recipient, command, step)
            return .confirmationSent(UserRecord(user: user, identities: identities))
        }
    }

    private static func confirm(_ user: inout User, _ step: FlowStep) throws {
        if user.email != nil { user.emailVerifiedAt = step.now } else { user.phoneVerifiedAt = step.now }
        try AddressClaims(step).requireUnique(user)
    }

    private static func send(
        to user: inout User, _ recipient: Recipient, _ command: SignUpCommand, _ step: FlowStep
    ) throws {
        // Many names may be given one address, whose owner asked for none of them. They keep the owner from giving it
        // beside a name of theirs as little as any other account's wish does.
        let message = SentMessage(
            kind: .proof(.signUpConfirmation), recipient: recipient, isProven: false, account: nil, isByName: true)
        guard try step.ports.limits.mayReceive(message, call: step.call, in: step.tx) else {
            throw AuthError(recipient.channel == .mail ? .mailRateLimited : .messageRateLimited)
        }
        try OneTimeIssuer(step).send(
            .signUpConfirmation, to: &user, recipient: recipient, redirectTo: command.redirectTo,
            codeChallenge: command.codeChallenge, isHolders: true)
        user = try step.tx.update(user)
        try step.record(.confirmationRequested, user)
        try step.ports.limits.require(message, call: step.call, in: step.tx)
    }
}
