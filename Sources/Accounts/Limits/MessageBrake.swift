// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How many messages of one channel a Directory sends. Half of them is kept for people who have proved to be reached;
/// the two together are never more than the setting says.
struct MessageBrake: Sendable {
    /// What a transaction, or a look before it, found.
    struct Room: Sendable {
        fileprivate var shared: Exhaustion?
        fileprivate var reserve: Exhaustion?

        /// - Parameter isProven: whether whoever is to be sent something has proved that messages reach them there.
        func isLeft(isProven: Bool) -> Bool { shared == nil || isProven && reserve == nil }
    }

    private let channel: Recipient.Channel
    private let shared: LedgerLimit
    private let reserve: LedgerLimit
    private let directory: DirectoryID

    init(_ channel: Recipient.Channel, _ call: CallContext) {
        let limits = call.settings.limits
        let rate = channel == .mail ? limits.mailSent : limits.messagesSent
        let name = channel.rawValue
        var (common, kept) = (rate, rate)
        kept.count = rate.count / 2
        common.count = rate.count - kept.count
        self.channel = channel
        shared = LedgerLimit(name, common, "all", call)
        reserve = LedgerLimit(name + " reserve", kept, "all", call)
        directory = call.directory.id
    }

    /// By one statement.
    func room(in tx: any AttemptReading) throws -> Room {
        let ends = try tx.attemptsEnds(shared.key, reserve.key, in: directory)
        return Room(shared: shared.exhaustion(of: ends[shared.key]), reserve: reserve.exhaustion(of: ends[reserve.key]))
    }

    /// Counts a message. Whether there was room for it; where there was none, nothing is counted.
    ///
    /// - Parameter room: as this transaction has found it.
    func take(_ room: Room, isProven: Bool, in tx: any AttemptWriting) throws -> Bool {
        guard room.isLeft(isProven: isProven) else { return false }
        return try (isProven && room.reserve == nil ? reserve : shared).take(in: tx)
    }

    func giveBack(isProven: Bool, in tx: any AttemptWriting) throws {
        try (isProven ? reserve : shared).giveBack(in: tx)
    }

    func exhaustion(_ room: Room) -> MessageExhaustion {
        MessageExhaustion(channel: channel, exhaustion: room.shared ?? shared.full)
    }
}

/// A brake without room: what a transaction says of it where whoever calls may be told, and what undoes it. It leaves
/// ``AccountPorts/write(_:_:)`` as the refusal that it means.
struct MessageExhaustion: Error, Hashable {
    let channel: Recipient.Channel
    let exhaustion: Exhaustion

    var code: AuthErrorCode {
        switch channel {
        case .mail: .mailRateLimited
        case .sms: .messageRateLimited
        }
    }
}
