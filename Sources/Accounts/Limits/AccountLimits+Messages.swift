// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Which messages the Directory's brake lets through, as it stood when a call began.
struct MessageAllowance: Sendable {
    struct Room: Sendable {
        /// To somebody who has proved that messages reach them there.
        var proven = true
        /// To anybody else.
        var unproved = true
        var wait = Span.zero
    }

    var mail = Room()
    var sms = Room()

    func room(_ channel: Recipient.Channel) -> Room {
        switch channel {
        case .mail: mail
        case .sms: sms
        }
    }
}

/// A message that a flow has put into the outbox.
struct SentMessage: Sendable {
    var recipient: Recipient
    /// Whether the recipient had proved before that messages reach them there.
    var isProven: Bool
}

extension AccountLimits {
    /// Refuses a call whose messages would go to somebody who has proved nothing yet, such as a sign-up's, while there
    /// is no room for such. Counts nothing: only what was really sent is counted, by ``sent(_:_:call:in:)``, so that
    /// asking on behalf of strangers uses nothing up.
    ///
    /// - Throws: ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``.
    @discardableResult
    func requireRoom(
        forUnprovedBy channel: Recipient.Channel, call: CallContext, store: any AccountStoring
    ) async throws -> MessageAllowance {
        let allowance = try await store.read { try self.allowance(call, in: $0) }
        let room = allowance.room(channel)
        if !room.unproved { throw refused(channel, room, call) }
        return allowance
    }

    /// What may be sent, for a call that answers alike whoever it is about: it is refused for all while not even proven
    /// people can be sent anything.
    ///
    /// - Throws: As ``requireRoom(forUnprovedBy:call:store:)``.
    func requireRoom(
        forProvenBy channel: Recipient.Channel, call: CallContext, store: any AccountStoring
    ) async throws -> MessageAllowance {
        let allowance = try await store.read { try self.allowance(call, in: $0) }
        let room = allowance.room(channel)
        if !room.proven { throw refused(channel, room, call) }
        return allowance
    }

    /// Whether the recipient has had fewer messages of late than they may. Whoever has that many holds a link that still
    /// works.
    func mayReceive(_ recipient: Recipient, call: CallContext, in tx: any AttemptReading) throws -> Bool {
        try perRecipient(recipient, call).exhaustion(in: tx) == nil
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
    /// recipient may have. Counted whoever it is, and where there is nobody, so that the refusal says nothing of them; and
    /// for each client apart, so that nobody uses up what is another's to ask for.
    func countWish(for identifier: SignInIdentifier, call: CallContext, in tx: any AttemptWriting) throws {
        guard call.habits.tellsLimits, let origin = call.origin else { return }
        let limit = LedgerLimit(
            "message wish", call.settings.limits.messagesPerRecipient, origin + " " + identifier.name, call)
        guard try limit.take(in: tx) else { throw try limit.exhaustion(in: tx) ?? limit.full }
    }

    /// Counts a message that says of a lock, and whether it may be sent: a stranger who locks an account again and again must
    /// not fill its owner's mailbox. What is held back is no loss: the link of an earlier one, and that of a recovery, do the
    /// same.
    func mayTellOfLock(of subject: UserID, call: CallContext, in tx: any AttemptWriting) throws -> Bool {
        try LedgerLimit("lock messages", .init(count: 12, seconds: 86_400), subject.rawValue, call).take(in: tx)
    }

    /// Counts a text that only tells something, and whether it may be sent: at the Directory's brake like any other, and of
    /// one recipient's for itself, so that codes which somebody asks for do not keep the owner from hearing of a change.
    func mayTell(
        _ recipient: Recipient, isProven: Bool, call: CallContext, in tx: any StoreWriting
    ) throws -> Bool {
        let room = try room(recipient.channel, call, in: tx)
        let limit = LedgerLimit("notice recipient", call.settings.limits.messagesPerRecipient, recipient.address, call)
        guard isProven ? room.proven : room.unproved, try limit.take(in: tx) else { return false }
        let (shared, reserve) = brakes(recipient.channel, call)
        let hasReserve = try reserve.exhaustion(in: tx) == nil
        _ = try (isProven && hasReserve ? reserve : shared).take(in: tx)
        return true
    }

    /// Counts a notice that second factors are locked, and whether it may be sent, as ``mayTellOfLock(of:call:in:)``.
    func mayTellOfFactorLock(of user: UserID, call: CallContext, in tx: any AttemptWriting) throws -> Bool {
        try LedgerLimit("factor lock messages", .init(count: 12, seconds: 86_400), user.rawValue, call).take(in: tx)
    }

    /// Counts a message in the transaction that puts it into the outbox. What was not sent is counted for nobody: the
    /// same statements, which write as many rows (see ``Nobody``).
    func sent(
        _ message: SentMessage?, _ channel: Recipient.Channel, call: CallContext, in tx: any StoreWriting
    ) throws {
        let (shared, reserve) = brakes(channel, call)
        let hasReserve = try reserve.exhaustion(in: tx) == nil
        guard let message else {
            let boundless = DirectorySettings.Rate(count: 1_000_000, seconds: 3600)
            for name in ["nobody", "nobody's brake"] { _ = try LedgerLimit(name, boundless, "", call).take(in: tx) }
            return
        }
        _ = try perRecipient(message.recipient, call).take(in: tx)
        _ = try (message.isProven && hasReserve ? reserve : shared).take(in: tx)
    }

    /// Somebody has answered a message: it was wanted, and weighs on nothing any more.
    func answered(_ message: SentMessage, call: CallContext, in tx: any StoreWriting) throws {
        try perRecipient(message.recipient, call).forget(in: tx)
        let (shared, reserve) = brakes(message.recipient.channel, call)
        try (message.isProven ? reserve : shared).giveBack(in: tx)
    }

    /// What may be sent now.
    func allowance(_ call: CallContext, in tx: any AttemptReading) throws -> MessageAllowance {
        MessageAllowance(mail: try room(.mail, call, in: tx), sms: try room(.sms, call, in: tx))
    }

    private func room(
        _ channel: Recipient.Channel, _ call: CallContext, in tx: any AttemptReading
    ) throws -> MessageAllowance.Room {
        let (shared, reserve) = brakes(channel, call)
        var room = MessageAllowance.Room()
        if let exhaustion = try shared.exhaustion(in: tx) {
            room.unproved = false
            room.wait = exhaustion.wait
            room.proven = try reserve.exhaustion(in: tx) == nil
        }
        return room
    }

    private func refused(
        _ channel: Recipient.Channel, _ room: MessageAllowance.Room, _ call: CallContext
    ) -> AuthError {
        refusal(
            Exhaustion(limit: brakes(channel, call).shared.rule.name, wait: room.wait), call: call,
            else: channel == .mail ? .mailRateLimited : .messageRateLimited)
    }

    /// Half of what the Directory may send is kept for people who have proved to be reached; the two together are never
    /// more than the setting says.
    private func brakes(_ channel: Recipient.Channel, _ call: CallContext) -> (
        shared: LedgerLimit, reserve: LedgerLimit
    ) {
        let limits = call.settings.limits
        let rate = channel == .mail ? limits.mailSent : limits.messagesSent
        let name = channel.rawValue
        var (shared, reserve) = (rate, rate)
        reserve.count = rate.count / 2
        shared.count = rate.count - reserve.count
        return (LedgerLimit(name, shared, "all", call), LedgerLimit(name + " reserve", reserve, "all", call))
    }

    private func perRecipient(_ recipient: Recipient, _ call: CallContext) -> LedgerLimit {
        LedgerLimit("message recipient", call.settings.limits.messagesPerRecipient, recipient.address, call)
    }
}
