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

    func room(_ channel: OutboxMessage.Channel) -> Room {
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
    /// What may be sent now. Counts nothing: only what was really sent is counted, by ``sent(_:call:)``, so that asking
    /// on behalf of strangers uses nothing up.
    func allowance(_ call: CallContext) -> MessageAllowance {
        MessageAllowance(mail: room(.mail, call), sms: room(.sms, call))
    }

    /// Refuses a call whose messages would go to somebody who has proved nothing yet, such as a sign-up's, while there
    /// is no room for such.
    ///
    /// - Throws: ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``.
    func requireRoom(forUnprovedBy channel: OutboxMessage.Channel, call: CallContext) throws(AuthError) {
        let room = room(channel, call)
        if !room.unproved { throw refused(channel, room, call) }
    }

    /// The allowance, for a call that answers alike whoever it is about: it is refused for all while not even proven
    /// people can be sent anything.
    ///
    /// - Throws: As ``requireRoom(forUnprovedBy:call:)``.
    func requireRoom(
        forProvenBy channel: OutboxMessage.Channel, call: CallContext
    ) throws(AuthError) -> MessageAllowance {
        let allowance = allowance(call)
        let room = allowance.room(channel)
        if !room.proven { throw refused(channel, room, call) }
        return allowance
    }

    /// Whether the recipient has had fewer messages of late than they may. Whoever has that many holds a link that still
    /// works.
    func mayReceive(_ recipient: Recipient, call: CallContext) -> Bool {
        let limit = perRecipient(recipient, call)
        return counts.look(limit.rule, key: limit.key, now: call.now) == .allowed
    }

    /// Counts what a flow has put into the outbox, once its transaction is done.
    func sent(_ message: SentMessage?, call: CallContext) {
        guard let message else { return }
        let recipient = perRecipient(message.recipient, call)
        _ = counts.take(recipient.rule, key: recipient.key, now: call.now)
        let (shared, reserve) = brakes(message.recipient.channel, call)
        for limit in message.isProven ? [reserve, shared] : [shared]
        where counts.take(limit.rule, key: limit.key, now: call.now) == .allowed { return }
    }

    /// Somebody has answered a message: it was wanted, and weighs on nothing any more.
    func answered(_ message: SentMessage, call: CallContext) {
        let recipient = perRecipient(message.recipient, call)
        counts.forget(recipient.rule, key: recipient.key)
        let (shared, reserve) = brakes(message.recipient.channel, call)
        let limit = message.isProven ? reserve : shared
        counts.giveBack(limit.rule, key: limit.key, now: call.now)
    }

    private func room(_ channel: OutboxMessage.Channel, _ call: CallContext) -> MessageAllowance.Room {
        let (shared, reserve) = brakes(channel, call)
        var room = MessageAllowance.Room()
        if case .denied(let wait) = counts.look(shared.rule, key: shared.key, now: call.now) {
            room.unproved = false
            room.wait = wait
            room.proven = counts.look(reserve.rule, key: reserve.key, now: call.now) == .allowed
        }
        return room
    }

    private func refused(
        _ channel: OutboxMessage.Channel, _ room: MessageAllowance.Room, _ call: CallContext
    ) -> AuthError {
        counts.refusal(
            by: brakes(channel, call).shared.rule.name, wait: room.wait, in: call,
            else: channel == .mail ? .mailRateLimited : .messageRateLimited)
    }

    /// Half of what the Directory may send is kept for people who have proved to be reached; the two together are never
    /// more than the setting says.
    private func brakes(_ channel: OutboxMessage.Channel, _ call: CallContext) -> (
        shared: CountedLimit, reserve: CountedLimit
    ) {
        let limits = call.settings.limits
        let rate = channel == .mail ? limits.mailSent : limits.messagesSent
        let name = channel.rawValue
        var (shared, reserve) = (rate, rate)
        reserve.count = rate.count / 2
        shared.count = rate.count - reserve.count
        return (limit(name, shared, "all", call), limit(name + " reserve", reserve, "all", call))
    }

    func limit(
        _ name: String, _ rate: DirectorySettings.Rate, _ key: String, _ call: CallContext
    ) -> CountedLimit { CountedLimit(name, rate, key: key, in: call.directory) }

    private func perRecipient(_ recipient: Recipient, _ call: CallContext) -> CountedLimit {
        limit("message recipient", call.settings.limits.messagesPerRecipient, recipient.address, call)
    }
}
