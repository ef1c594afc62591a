// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What still holds of the methods that somebody has shown, now that factors may have gone since: the one rule for
/// whatever carries them from one time to another, a session, a ticket of a sign-in or what a device was allowed.
struct StandingMethods {
    private let factors: Set<FactorID>
    private let passkeys: Set<FactorID>
    private let hasCodes: Bool

    /// Whether the user has a second factor that counts.
    var hasFactors: Bool { !factors.isEmpty }

    /// - Parameter gone: one that is there, and no longer what it was.
    init(of user: UserID, without gone: FactorID? = nil, in directory: DirectoryID, _ tx: any FactorReading) throws {
        let left = try tx.factors(of: user, in: directory).filter { $0.counts && $0.id != gone }
        factors = Set(left.secondFactors.map(\.id))
        passkeys = Set(left.passkeys.map(\.id))
        hasCodes = try !factors.isEmpty && tx.backupCodes(of: user, in: directory) != nil
    }

    /// What is left of `methods`, and the level that they are worth: that of one factor where no other raises them any
    /// more.
    func left(
        of methods: [AuthenticationMethod], at level: AssuranceLevel
    ) -> (methods: [AuthenticationMethod], assurance: AssuranceLevel) {
        guard !methods.allSatisfy(holds) else { return (methods, level) }
        // By which passkey somebody came stays true; what it was worth does not.
        let left = methods.filter { !$0.name.isSecondFactor || holds($0) }
        let isStillSure = left.contains { $0.name.raises && holds($0) }
        return (left, isStillSure ? level : min(level, .aal1))
    }

    /// The same of somebody whose factors have not been read: that is done where one was shown.
    static func left(
        of methods: [AuthenticationMethod], at level: AssuranceLevel, of user: UserID, in directory: DirectoryID,
        _ tx: any FactorReading
    ) throws -> (methods: [AuthenticationMethod], assurance: AssuranceLevel) {
        guard methods.contains(where: \.name.raises) else { return (methods, level) }
        return try Self(of: user, in: directory, tx).left(of: methods, at: level)
    }

    private func holds(_ method: AuthenticationMethod) -> Bool {
        switch method.name {
        case .passkey: method.factor.map(passkeys.contains) ?? false
        case .backupCode: hasCodes
        case .rememberedDevice: !factors.isEmpty
        case let name where name.isSecondFactor: method.factor.map(factors.contains) ?? false
        default: true
        }
    }
}

extension Factor {
    /// Whether it is one of the user's that they are asked for: proved, and not put aside.
    var counts: Bool { isVerified && isEnabled }
}

extension AuthenticationMethod.Name {
    /// Whether it takes a session beyond one factor, beside another or by itself.
    fileprivate var raises: Bool { isSecondFactor || self == .passkey }
}
