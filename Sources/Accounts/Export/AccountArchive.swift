// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Everything that is held about a user, as a ZIP file of JSON whose form ``ExportSchema`` says, piece by piece: each
/// is of one look at the store, and no list is in memory as a whole. What proves something is not among it: no hash of
/// a password, no key, no secret of a factor, no code.
struct AccountArchive: Sendable {
    /// Rows of a list in one piece.
    static let rows = 500

    /// Where a list goes on.
    private enum Place: Sendable {
        case session(SessionPosition)
        case activity(ActivityPosition)
        case agreement(AgreementPosition)
        case event(AuditPosition)
        /// Of messages: to the recipient of this number, or the others where there is none, after that one.
        case message(Int, OutboxPosition?)
    }

    /// A list that is being written.
    private struct List: Sendable {
        var file: ExportFile
        var place: Place?
        var isEmpty = true
    }

    private let user: User
    private let now: Instant
    private let rows: Int
    private var zip: ZIPArchive
    private var files = ExportFile.allCases[...]
    private var list: List?
    private var hasSchema = false
    private var isDone = false

    /// - Parameters:
    ///   - now: what the entries are dated by.
    ///   - rows: in one piece.
    init(of user: User, at now: Instant, rows: Int = Self.rows) {
        self.user = user
        self.now = now
        self.rows = rows
        zip = ZIPArchive(at: now)
    }

    /// The next piece of the file; `nil` after the last.
    ///
    /// - Throws: ``AuthErrorCode/requestTooLarge`` where the file is more than such a file holds.
    mutating func next(_ tx: any StoreScanning) throws -> [UInt8]? {
        if let list { return try page(of: list, tx) }
        guard hasSchema else {
            hasSchema = true
            return try zip.entry("schema.json", JSONValue.object(ExportSchema.document).serialized())
        }
        guard let file = files.popFirst() else {
            guard !isDone else { return nil }
            isDone = true
            return zip.finish()
        }
        if let content = try content(of: file, tx) { return try zip.entry(file.name, content) }
        let head = try zip.open(file.name) + zip.add([UInt8(ascii: "[")])
        return try head + page(of: List(file: file), tx)
    }

    // MARK: Lists

    private mutating func page(of list: List, _ tx: any StoreScanning) throws -> [UInt8] {
        var list = list
        let (records, place) = try records(of: list.file, after: list.place, tx)
        var text: [UInt8] = []
        for record in records {
            if !list.isEmpty { text.append(UInt8(ascii: ",")) }
            text.append(UInt8(ascii: "\n"))
            text += record.serialized()
            list.isEmpty = false
        }
        guard let place else {
            self.list = nil
            return try zip.add(text + [UInt8(ascii: "\n"), UInt8(ascii: "]")]) + zip.close()
        }
        list.place = place
        self.list = list
        return try zip.add(text)
    }

    /// - Returns: what one piece holds, and where the list goes on; `nil` where it does not.
    private func records(
        of file: ExportFile, after place: Place?, _ tx: any StoreScanning
    ) throws -> ([JSONObject], Place?) {
        switch file {
        case .identities: (try tx.identities(of: user.id, in: user.directoryID).map(ExportRecord.identity), nil)
        case .devices: (try tx.rememberedDevices(of: user.id, in: user.directoryID).map(ExportRecord.device), nil)
        case .consents: (try tx.consents(of: user.id, in: user.directoryID).map(ExportRecord.consent), nil)
        case .sessions: try sessions(after: place, tx)
        case .activities: try activities(after: place, tx)
        case .agreements: try agreements(after: place, tx)
        case .audit: try audit(after: place, tx)
        case .messages: try messages(after: place, tx)
        case .account, .profile, .factors, .pending: ([], nil)
        }
    }

    private func sessions(after place: Place?, _ tx: any StoreScanning) throws -> ([JSONObject], Place?) {
        let position: SessionPosition? = if case .session(let position) = place { position } else { nil }
        let page = try tx.everySession(of: user.id, in: user.directoryID, after: position, limit: rows)
        return (
            page.map(ExportRecord.session),
            last(of: page).map { .session(SessionPosition(createdAt: $0.createdAt, id: $0.id)) }
        )
    }

    private func activities(after place: Place?, _ tx: any StoreScanning) throws -> ([JSONObject], Place?) {
        let position: ActivityPosition? = if case .activity(let position) = place { position } else { nil }
        let page = try tx.activities(
            of: user.id, in: user.directoryID, matching: ActivityFilter(), after: position, limit: rows)
        return (
            page.map(ExportRecord.activity), last(of: page).map { .activity(ActivityPosition(at: $0.at, id: $0.id)) }
        )
    }

    private func agreements(after place: Place?, _ tx: any StoreScanning) throws -> ([JSONObject], Place?) {
        let position: AgreementPosition? = if case .agreement(let position) = place { position } else { nil }
        let page = try tx.agreements(of: user.id, in: user.directoryID, after: position, limit: rows)
        return (page.map(ExportRecord.agreement), last(of: page).map { .agreement($0.position) })
    }

    /// What is written down of the user, whoever did it.
    private func audit(after place: Place?, _ tx: any StoreScanning) throws -> ([JSONObject], Place?) {
        let position: AuditPosition? = if case .event(let position) = place { position } else { nil }
        let page = try tx.auditEvents(of: user.id, in: user.directoryID, after: position, limit: rows)
        return (
            page.map(ExportRecord.event),
            last(of: page).map { .event(AuditPosition(action: $0.action, at: $0.at, id: $0.id)) }
        )
    }

    /// What was sent to the address and the number that the user has proved, or is owed to them, and what went
    /// elsewhere about their account: to a factor's address, to one of before. The texts are not kept once they were
    /// handed over, and those that are owed may hold a code.
    private func messages(after place: Place?, _ tx: any StoreScanning) throws -> ([JSONObject], Place?) {
        // What went to an address that is not the user's, or not theirs alone, is theirs only where it says so itself.
        let email = user.emailVerifiedAt == nil || user.sharesEmail ? nil : user.email?.rawValue
        let phone = user.phoneVerifiedAt == nil || user.sharesPhone ? nil : user.phone?.e164
        let recipients = [email, phone].compactMap(\.self)
        var (number, position) = (0, OutboxPosition?.none)
        if case .message(let held, let after) = place { (number, position) = (held, after) }
        guard recipients.indices.contains(number) else {
            let page = try tx.outbox(about: user.id, in: user.directoryID, after: position, limit: rows)
            let others = page.filter { !recipients.contains($0.recipient) }
            return (others.map(ExportRecord.message), last(of: page).map { .message(number, $0.position) })
        }
        let page = try tx.outbox(to: recipients[number], in: user.directoryID, after: position, limit: rows)
        return (
            page.map(ExportRecord.message),
            last(of: page).map { .message(number, $0.position) } ?? .message(number + 1, nil)
        )
    }

    /// After which a list goes on; `nil` where the page was its last.
    private func last<Row>(of page: [Row]) -> Row? { page.count == rows ? page.last : nil }

    // MARK: What is small

    /// `nil` for a list.
    private func content(of file: ExportFile, _ tx: any StoreScanning) throws -> [UInt8]? {
        switch file {
        case .account: try account(tx).serialized()
        case .profile:
            try (tx.profile(of: user.id, in: user.directoryID).map(ExportRecord.profile) ?? [:]).serialized()
        case .factors: try factors(tx).serialized()
        case .pending: try pending(tx).serialized()
        case .identities, .sessions, .devices, .activities, .consents, .agreements, .audit, .messages: nil
        }
    }

    private func account(_ tx: any StoreScanning) throws -> JSONObject {
        var json = ExportRecord.account(user)
        json["exported_at"] = .string(now.rfc3339)
        let groups = try tx.groups(of: user.id, in: user.directoryID)
        json["groups"] = .array(groups.map { .string($0.name) })
        return json
    }

    private func factors(_ tx: any StoreScanning) throws -> JSONObject {
        var json = JSONObject()
        let factors = try tx.factors(of: user.id, in: user.directoryID)
        json["factors"] = .array(factors.map { .object(ExportRecord.factor($0)) })
        if let codes = try tx.backupCodes(of: user.id, in: user.directoryID) {
            json["backup_codes"] = .object(ExportRecord.backupCodes(codes))
        }
        return json
    }

    /// What is under way: links and codes, sign-ups, locks.
    private func pending(_ tx: any StoreScanning) throws -> JSONObject {
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
}
