// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Which second factors a user can be asked for: those that they have proved and not put aside, of the kinds that the
/// Directory takes.
struct FactorStanding: Sendable {
    let usable: [Factor]

    init(of user: User, _ settings: DirectorySettings, _ tx: any FactorReading) throws {
        try self.init(of: user.id, in: user.directoryID, settings, tx)
    }

    init(
        of user: UserID, in directory: DirectoryID, _ settings: DirectorySettings, _ tx: any FactorReading
    ) throws {
        usable = try tx.factors(of: user, in: directory).filter { Self.isUsable($0, settings) }
    }

    /// Whether there is one, and so a second factor is asked for.
    var isSet: Bool { !usable.isEmpty }

    static func isUsable(_ factor: Factor, _ settings: DirectorySettings) -> Bool {
        factor.counts && !factor.isPasskey && settings.factors.use(of: factor.kind) != .off
    }
}

extension Factor {
    /// Whether it says more than what was shown already: a code to the mailbox, or to the number, by which somebody
    /// came says nothing new.
    func adds(to methods: [AuthenticationMethod], in directory: Directory) -> Bool {
        recipient.map { !methods.wereAnswered(at: $0, in: directory) } ?? true
    }
}

/// What a sign-in has to ask of a user's second factors.
struct FactorNeed: Sendable {
    /// Whether the user has one that they can be asked for.
    var isSet = false
    /// Whether they must have one.
    var isDemanded = false
    /// The device that they say they are on, where it is to be asked for its secret.
    var device: RememberedDevice?

    init(isSet: Bool = false, isDemanded: Bool = false) {
        self.isSet = isSet
        self.isDemanded = isDemanded
    }

    /// - Parameters:
    ///   - methods: what they have shown already.
    ///   - device: that the user says they are on.
    /// - Throws: ``AuthErrorCode/deviceNotFound`` for one that is not theirs.
    init(
        of user: User, after methods: [AuthenticationMethod], on device: RememberedDeviceID?, in directory: Directory,
        _ tx: any StoreReading
    ) throws {
        let settings = directory.settings
        let standing = try FactorStanding(of: user, settings, tx)
        isDemanded = try Self.isDemanded(of: user, settings.factors, tx)
        // Where one is demanded, who has none but the mailbox that they came by comes another way.
        isSet = isDemanded ? standing.isSet : standing.usable.contains { $0.adds(to: methods, in: directory) }
        guard let device, settings.devices.tracked else { return }
        let known = try tx.rememberedDevice(device, of: user)
        self.device = known.isRemembered ? known : nil
    }

    private static func isDemanded(
        of user: User, _ settings: DirectorySettings.Factors, _ tx: any GroupReading
    ) throws -> Bool {
        if settings.demand == .all { return true }
        guard !settings.demandedGroups.isEmpty else { return false }
        let groups = try tx.groups(of: user.id, in: user.directoryID)
        return groups.contains { settings.demandedGroups.contains($0.name) }
    }
}

/// What somebody who has a step to take may choose from.
public struct FactorChoices: Sendable {
    /// The user's factors, the preferred one first. What they are proved by is in them: it is for nobody's answer.
    public var factors: [Factor]
    /// Whether a backup code is taken too.
    public var hasBackupCodes: Bool
    /// The kinds of which one may be set up.
    public var enrollable: [Factor.Kind]
    /// The number and the address that the account has proved, where one of their kind may be set up and a code that
    /// goes there says more than what was shown.
    public var provable: [Recipient]

    public init(
        factors: [Factor] = [], hasBackupCodes: Bool = false, enrollable: [Factor.Kind] = [], provable: [Recipient] = []
    ) {
        self.factors = factors
        self.hasBackupCodes = hasBackupCodes
        self.enrollable = enrollable
        self.provable = provable
    }

    /// - Parameter methods: what they have shown already.
    init(
        of user: User, after methods: [AuthenticationMethod], in directory: Directory, _ tx: any FactorReading
    ) throws {
        let settings = directory.settings
        let usable = try FactorStanding(of: user, settings, tx).usable.filter { $0.adds(to: methods, in: directory) }
        factors = usable.filter(\.isPreferred) + usable.filter { !$0.isPreferred }
        hasBackupCodes =
            try settings.factors.backupCodes != .off && !usable.isEmpty
            && (tx.backupCodes(of: user.id, in: user.directoryID)?.remaining ?? 0) > 0
        let kinds = Factor.Kind.allCases.filter { settings.factors.use(of: $0) == .on }
        enrollable = kinds
        provable = [user.phone.map(Recipient.phone), user.email.map(Recipient.email)].compactMap(\.self).filter {
            kinds.contains($0.channel == .sms ? .phone : .email) && $0.isProven(for: user)
                && !methods.wereAnswered(at: $0.address, in: directory)
        }
    }
}

extension RememberedDeviceReading {
    /// - Throws: ``AuthErrorCode/deviceNotFound``, also for another user's.
    func rememberedDevice(_ id: RememberedDeviceID, of user: User) throws -> RememberedDevice {
        guard let device = try rememberedDevice(id, in: user.directoryID), device.userID == user.id else {
            throw AuthError(.deviceNotFound)
        }
        return device
    }
}
