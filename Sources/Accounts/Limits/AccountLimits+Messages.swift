// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AccountLimits {
    /// Refuses a call whose messages would go to somebody who has proved nothing yet, such as a sign-up's, while there
    /// is no room for such. A look that spares the work: many calls may pass it at once, and counted is what each of
    /// them then sends, by ``take(_:_:call:in:)`` and ``require(_:call:in:)``, so that asking on behalf of strangers
    /// uses nothing up.
    ///
    /// - Throws: ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``.
    func requireRoom(
        forUnprovedBy channel: Recipient.Channel, call: CallContext, store: any AccountStoring
    ) async throws {
        try await requireRoom(channel, isProven: false, call, store)
    }

    /// The same of a call that answers alike whoever it is about: it is refused for all while not even proven people
    /// can be sent anything.
    ///
    /// - Throws: As ``requireRoom(forUnprovedBy:call:store:)``.
    func requireRoom(
        forProvenBy channel: Recipient.Channel, call: CallContext, store: any AccountStoring
    ) async throws {
        try await requireRoom(channel, isProven: true, call, store)
    }

    private func requireRoom(
        _ channel: Recipient.Channel, isProven: Bool, _ call: CallContext, _ store: any AccountStoring
    ) async throws {
        let brake = MessageBrake(channel, call)
        let room = try await store.read { try brake.room(in: $0) }
        if !room.isLeft(isProven: isProven) { throw refusal(brake.exhaustion(room), call: call) }
    }

    /// Whether there is room for somebody who has proved nothing, as a transaction sees it that opens an account for
    /// them.
    func hasRoom(
        forUnprovedBy channel: Recipient.Channel, call: CallContext, in tx: any AttemptReading
    ) throws -> Bool {
        try MessageBrake(channel, call).room(in: tx).isLeft(isProven: false)
    }

    /// What a caller is told whose message the brake has no room for.
    func refusal(_ exhaustion: MessageExhaustion, call: CallContext) -> AuthError {
        refusal(exhaustion.exhaustion, call: call, else: exhaustion.code)
    }

    /// Whether the recipient of a message has had fewer of its kind of late than they may: see ``RecipientLimit``.
    func mayReceive(_ message: SentMessage, call: CallContext, in tx: any AttemptReading) throws -> Bool {
        try wait(for: message, call: call, in: tx) == nil
    }

    /// How long until they may have another; `nil` where they may.
    func wait(for message: SentMessage, call: CallContext, in tx: any AttemptReading) throws -> TimeSpan? {
        try RecipientLimit(message, call).exhaustion(in: tx)?.wait
    }

    /// Runs a transaction in which somebody asks for a message.
    ///
    /// - Throws: ``AuthErrorCode/messageRateLimited`` where ``countWish(for:call:in:)`` found no room.
    func wishing<Value>(_ call: CallContext, _ transaction: () async throws -> Value) async throws -> Value {
        do {
            return try await transaction()
        } catch let exhaustion as Exhaustion {
            throw refusal(exhaustion, call: call, else: .messageRateLimited)
        }
    }

    /// Counts, in a dialect that tells, that a client asked for a message to somebody: as many may be asked for as one
    /// recipient may have. Counted whoever it is, and where there is nobody, so that the refusal says nothing of them;
    /// and for each client apart, so that nobody uses up what is another's to ask for.
    func countWish(for identifier: SignInIdentifier, call: CallContext, in tx: any AttemptWriting) throws {
        guard call.habits.tellsLimits, let origin = call.origin else { return }
        let limit = LedgerLimit(
            "message wish", call.settings.limits.messagesPerRecipient, origin + " " + identifier.name, call)
        if let exhaustion = try limit.refusal(in: tx) { throw exhaustion }
    }

    /// Counts a message that says of a lock, and whether it may be sent: a stranger who locks an account again and
    /// again must not fill its owner's mailbox. What is held back is no loss: the link of an earlier one, and that of a
    /// recovery, do the same.
    func mayTellOfLock(of subject: UserID, call: CallContext, in tx: any AttemptWriting) throws -> Bool {
        try LedgerLimit("lock messages", .init(count: 12, seconds: 86_400), subject.rawValue, call).take(in: tx)
    }

    /// Counts a text that only tells something, and whether it may be sent: at the Directory's brake like any other,
    /// and of one recipient's for itself, so that codes which somebody asks for do not keep the owner from hearing of a
    /// change; nor do texts of the accounts of others, who have the number without having proved it.
    func mayTell(
        _ recipient: Recipient, isProven: Bool, call: CallContext, in tx: any StoreWriting
    ) throws -> Bool {
        let brake = MessageBrake(recipient.channel, call)
        let room = try brake.room(in: tx)
        let limit = LedgerLimit(
            isProven ? "notice recipient" : "unproved notice recipient", call.settings.limits.messagesPerRecipient,
            recipient.address, call)
        guard room.isLeft(isProven: isProven), try limit.take(in: tx) else { return false }
        return try brake.take(room, isProven: isProven, in: tx)
    }

    /// Whether whoever has an address may be told that somebody tried to have it too: of a sign-up as often as the free
    /// address would be sent something. What accounts wish for is counted here of all of them together: whoever has
    /// heard of so many is kept from nothing by not hearing of another.
    ///
    /// - Parameter message: what the address would be sent if it were free.
    func mayTellOfAttempt(in message: SentMessage, call: CallContext, in tx: any StoreWriting) throws -> Bool {
        guard try mayReceive(message, call: call, in: tx) else { return false }
        guard message.isWishOfAccount else { return true }
        return try LedgerLimit(
            "attempt notice recipient", call.settings.limits.messagesPerRecipient, message.recipient.address, call
        ).take(in: tx)
    }

    /// Counts a notice that second factors are locked, and whether it may be sent, as ``mayTellOfLock(of:call:in:)``.
    func mayTellOfFactorLock(of user: UserID, call: CallContext, in tx: any AttemptWriting) throws -> Bool {
        try LedgerLimit("factor lock messages", .init(count: 12, seconds: 86_400), user.rawValue, call).take(in: tx)
    }

    /// Counts a message in the transaction that puts it into the outbox, and whether it may be put there: this look,
    /// and none before the transaction, bounds what a Directory sends, however many calls are under way. For nobody,
    /// and where there is no room, nobody is counted: the same statements, which write as many rows (see ``Nobody``).
    ///
    /// What one recipient has had is counted too, and judged by ``mayReceive(_:call:in:)``, where it is to hold:
    /// sign-ups with one address have a bound of their own (``SignUpAttempts``), which keeps nobody from their own
    /// address.
    ///
    /// - Parameter isReal: off for nobody's.
    func take(_ message: SentMessage, isReal: Bool = true, call: CallContext, in tx: any StoreWriting) throws -> Bool {
        let brake = MessageBrake(message.recipient.channel, call)
        let room = try brake.room(in: tx)
        let recipient = RecipientLimit(message, call)
        guard isReal, room.isLeft(isProven: message.isProven) else {
            let boundless = DirectorySettings.Rate(count: 1_000_000, seconds: 3600)
            let names = ["nobody", "nobody's brake", "nobody's client"].prefix(recipient.ledgers.count + 1)
            for name in names { _ = try LedgerLimit(name, boundless, "", call).take(in: tx) }
            return false
        }
        guard try brake.take(room, isProven: message.isProven, in: tx) else { return false }
        try recipient.take(in: tx)
        return true
    }

    /// Counts a message whose caller may be told where there is no room for it, as whoever it is about.
    ///
    /// - Throws: ``MessageExhaustion``, which undoes the transaction and is told outside as
    ///   ``requireRoom(forUnprovedBy:call:store:)`` tells it.
    func require(_ message: SentMessage, call: CallContext, in tx: any StoreWriting) throws {
        let channel = message.recipient.channel
        guard try take(message, call: call, in: tx) else { throw try full(channel, call: call, in: tx) }
    }

    /// What ``require(_:call:in:)`` throws.
    func full(
        _ channel: Recipient.Channel, call: CallContext, in tx: any AttemptReading
    ) throws -> MessageExhaustion {
        let brake = MessageBrake(channel, call)
        return brake.exhaustion(try brake.room(in: tx))
    }

    /// Takes back what was counted in this transaction of a message that is not sent after all.
    func withdraw(_ message: SentMessage, call: CallContext, in tx: any StoreWriting) throws {
        try RecipientLimit(message, call).giveBack(in: tx)
        try MessageBrake(message.recipient.channel, call).giveBack(isProven: message.isProven, in: tx)
    }

    /// Somebody has answered a message: it was wanted, and weighs on nothing any more. But a text with a second
    /// factor's code, or one that whoever is signed in asks for, stays at the brake: with a number of one's own it can
    /// be asked for and answered without end, at the operator's cost.
    func answered(_ message: SentMessage, call: CallContext, in tx: any StoreWriting) throws {
        try RecipientLimit(message, call).forget(in: tx)
        switch (message.kind, message.recipient) {
        case (.factorCode, .phone), (.factorSetup, .phone), (.proof(.reauthentication), .phone),
            (.proof(.phoneChange), .phone):
            break
        case (.proof, _), (_, .email):
            try MessageBrake(message.recipient.channel, call).giveBack(isProven: message.isProven, in: tx)
        }
    }

    /// The same of the message that a proof came in; nothing where it went to no address of the user's.
    ///
    /// - Parameter user: as they were when the message was sent.
    func answered(_ token: OneTimeToken, of user: User, call: CallContext, in tx: any StoreWriting) throws {
        let recipients: [Recipient?] = [
            user.email.map { .email($0) }, user.phone.map { .phone($0) }, user.pendingEmail.map { .email($0) },
            user.pendingPhone.map { .phone($0) },
        ]
        guard let recipient = recipients.compactMap(\.self).first(where: { $0.address == token.recipient }) else {
            return
        }
        let message = SentMessage(
            kind: .proof(token.purpose), recipient: recipient, isProven: recipient.isProven(for: user),
            account: user.id)
        // Which of the two the account was named by is not kept.
        if user.username != nil, !message.isWishOfAccount {
            var named = message
            named.isByName = true
            try RecipientLimit(named, call).forget(in: tx)
        }
        try answered(message, call: call, in: tx)
    }
}
