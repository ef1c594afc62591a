// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Whose account a letter is about: by the proof that it carries, and else whoever has the address that it goes to.
struct LetterSubject {
    /// How many may wait for one address.
    private static let maximumSharers = 32

    private let letter: Letter
    private let isText: Bool
    private let directory: Directory

    init(of letter: Letter, isText: Bool, in directory: Directory) {
        self.letter = letter
        self.isText = isText
        self.directory = directory
    }

    /// - Returns: `nil` for nobody who can be told.
    func find(in tx: any StoreReading) throws -> HookQuestion.Subject? {
        let id = try letter.user ?? prover(tx)
        guard let user = try id.map({ try tx.user($0, in: directory.id) }) ?? addressee(tx), user.deletedAt == nil
        else {
            return nil
        }
        return HookQuestion.Subject(user, try LocalIdentities.all(of: user, tx))
    }

    /// Whose proof it is, where it has one: a wanted address is mostly nobody's yet.
    private func prover(_ tx: any StoreReading) throws -> UserID? {
        if let hash = letter.tokenHash {
            let link = OneTimeToken.hash(link: OneTimeToken.linkToken(of: hash))
            return try tx.oneTimeToken(linkHash: link, in: directory.id)?.userID
        }
        guard isText, let code = letter.code, let purpose = OneTimeToken.Purpose(rawValue: letter.kind) else {
            return nil
        }
        let tokens = try tx.oneTimeTokens(
            to: letter.recipient, purpose: purpose, in: directory.id, limit: Self.maximumSharers)
        return tokens.first {
            constantTimeEqual(
                $0.codeHash,
                OneTimeToken.hash(code: code, of: $0.userID, purpose: purpose, under: directory.tokenKey))
        }?.userID
    }

    private func addressee(_ tx: any StoreReading) throws -> User? {
        let identifier: SignInIdentifier? =
            isText
            ? (try? PhoneNumber(letter.recipient)).map { .phone($0) }
            : (try? EmailAddress(letter.recipient)).map { .email($0) }
        guard let identifier, let user = try tx.user(known: identifier, in: directory.id) else { return nil }
        // A factor's address may be another's own.
        guard letter.kind == MailKind.factorCode.rawValue else { return user }
        let isTheirs = try tx.factors(of: user.id, in: directory.id).contains { factor in
            switch factor.credential {
            case .phone(let number): isText && number.e164 == letter.recipient
            case .email(let address): !isText && address.rawValue == letter.recipient
            case .totp, .webAuthn, .newWebAuthn, .unreadable: false
            }
        }
        return isTheirs ? user : nil
    }
}
