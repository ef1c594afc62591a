// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Everything that is held about a user, as files of JSON whose form ``ExportSchema`` says. What proves something is not among
/// it: no hash of a password, no key, no secret of a factor, no code.
struct AccountArchive {
    /// Rows that are read at a time.
    private static let batch = 1000
    /// Messages of one recipient: those of a week, by far.
    static let mostMessages = 10_000

    private let user: User
    private let tx: any StoreScanning
    private let mostMessages: Int

    /// - Parameter mostMessages: of each recipient; what is beyond is older, and the archive says that it is left out.
    init(of user: User, _ tx: any StoreScanning, mostMessages: Int = Self.mostMessages) {
        self.user = user
        self.tx = tx
        self.mostMessages = mostMessages
    }

    func octets(at now: Instant) throws -> [UInt8] {
        var archive = ZIPArchive(at: now)
        try archive.add("schema.json", JSONValue.object(ExportSchema.document).text.utf8.map { $0 })
        let messages = try messages()
        for file in ExportFile.allCases {
            let octets =
                switch file {
                case .account: try account(at: now, cut: messages.isCut ? [.messages] : []).serialized()
                case .messages: messages.text
                default: try content(of: file)
                }
            try archive.add(file.name, octets)
        }
        return archive.finish()
    }

    private func content(of file: ExportFile) throws -> [UInt8] {
        switch file {
        case .account, .messages: return []
        case .profile: return try profile().serialized()
        case .identities:
            return array(try tx.identities(of: user.id, in: user.directoryID).map(ExportRecord.identity))
        case .sessions:
            let sessions = try tx.everySession(of: user.id, in: user.directoryID)
            return array(sessions.sorted { $0.createdAt < $1.createdAt }.map(ExportRecord.session))
        case .factors: return try factors().serialized()
        case .devices:
            return array(try tx.rememberedDevices(of: user.id, in: user.directoryID).map(ExportRecord.device))
        case .activities: return try activities()
        case .consents:
            return array(try tx.consents(of: user.id, in: user.directoryID).map(ExportRecord.consent))
        case .agreements: return try agreements()
        case .audit: return try audit()
        case .pending: return try pending().serialized()
        }
    }

    /// - Parameter cut: the files whose lists are not whole.
    private func account(at now: Instant, cut: [ExportFile]) throws -> JSONObject {
        var json = ExportRecord.account(user)
        json["exported_at"] = .string(now.rfc3339)
        json["cut"] = .array(cut.map { .string($0.name) })
        let groups = try tx.groups(of: user.id, in: user.directoryID)
        json["groups"] = .array(groups.map { .string($0.name) })
        return json
    }

    private func profile() throws -> JSONObject {
        guard let profile = try tx.profile(of: user.id, in: user.directoryID) else { return [:] }
        return ExportRecord.profile(profile)
    }

    private func factors() throws -> JSONObject {
        var json = JSONObject()
        let factors = try tx.factors(of: user.id, in: user.directoryID)
        json["factors"] = .array(factors.map { .object(ExportRecord.factor($0)) })
        if let codes = try tx.backupCodes(of: user.id, in: user.directoryID) {
            json["backup_codes"] = .object(ExportRecord.backupCodes(codes))
        }
        return json
    }

    private func activities() throws -> [UInt8] {
        var list = JSONArrayText()
        var position: ActivityPosition?
        while true {
            let page = try tx.activities(
                of: user.id, in: user.directoryID, matching: ActivityFilter(), after: position, limit: Self.batch)
            for activity in page { list.add(ExportRecord.activity(activity)) }
            guard page.count == Self.batch, let last = page.last else { return list.finish() }
            position = ActivityPosition(at: last.at, id: last.id)
        }
    }

    private func agreements() throws -> [UInt8] {
        var list = JSONArrayText()
        var position: AgreementPosition?
        while true {
            let page = try tx.agreements(of: user.id, in: user.directoryID, after: position, limit: Self.batch)
            for agreement in page { list.add(ExportRecord.agreement(agreement)) }
            guard page.count == Self.batch, let last = page.last else { return list.finish() }
            position = last.position
        }
    }

    /// What is written down of the user, whoever did it.
    private func audit() throws -> [UInt8] {
        var list = JSONArrayText()
        var offset = 0
        while true {
            let page = try tx.auditEvents(
                in: user.directoryID, actions: nil, user: user.id, offset: offset, limit: Self.batch)
            for event in page { list.add(ExportRecord.event(event)) }
            guard page.count == Self.batch else { return list.finish() }
            offset += page.count
        }
    }

    /// What was sent to the address and the number that the user has proved, or is owed to them. The texts are not kept once they were handed over, and those that are
    /// owed may hold a code.
    private func messages() throws -> (text: [UInt8], isCut: Bool) {
        var isCut = false
        var list = JSONArrayText()
        // Messages say whom they went to and not whose they are: what went to an address that is not the user's, or not theirs
        // alone, may be somebody else's.
        let email = user.emailVerifiedAt == nil || user.sharesEmail ? nil : user.email?.rawValue
        let phone = user.phoneVerifiedAt == nil || user.sharesPhone ? nil : user.phone?.e164
        for recipient in [email, phone].compactMap(\.self) {
            let sent = try tx.outbox(in: user.directoryID, recipient: recipient, limit: mostMessages + 1)
            isCut = isCut || sent.count > mostMessages
            for message in sent.prefix(mostMessages) where message.state != .discarded {
                list.add(ExportRecord.message(message))
            }
        }
        return (list.finish(), isCut)
    }

    /// What is under way: links and codes, sign-ups, locks.
    private func pending() throws -> JSONObject {
        let tokens = try OneTimeToken.Purpose.allCases.flatMap {
            try tx.oneTimeTokens(of: user.id, purpose: $0, in: user.directoryID)
        }
        let signUps = try tx.signUpAttempts(of: user.id, in: user.directoryID)
        let locks = try tx.lockouts(of: user.id, in: user.directoryID)
        let recovery = try tx.factorRecovery(of: user.id, in: user.directoryID)
        return [
            "factor_recoveries": .array(recovery.map { [.object(ExportRecord.recovery($0))] } ?? []),
            "links": .array(tokens.map { .object(ExportRecord.token($0)) }),
            "sign_ups": .array(signUps.map { .object(ExportRecord.signUp($0)) }),
            "locks": .array(locks.map { .object(ExportRecord.lockout($0)) }),
        ]
    }

    private func array(_ elements: [JSONObject]) -> [UInt8] {
        var list = JSONArrayText()
        for element in elements { list.add(element) }
        return list.finish()
    }
}

/// An array that is written element by element, so that a long one is in memory once, and as text.
private struct JSONArrayText {
    private var text: [UInt8] = [UInt8(ascii: "[")]

    mutating func add(_ element: JSONObject) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\n"))
        text += element.serialized()
    }

    func finish() -> [UInt8] { text + [UInt8(ascii: "\n"), UInt8(ascii: "]")] }
}
