// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SignInProof {
    /// What a session goes on by that takes another's place: the same user's, at the same level and by the same second
    /// factors, which are not asked for again.
    ///
    /// - Parameter former: as the transaction has it that ends it (``SessionEnding/replace(_:)``): what was read before
    ///   may say of a factor that has gone since.
    init(
        _ method: AuthenticationMethod, inPlaceOf former: Session, identifier: SignInIdentifier? = nil
    ) {
        let kept = former.methods.filter {
            ($0.name.isSecondFactor || $0.name == .passkey) && !$0.isSame(as: method)
        }
        self.init(
            methods: [method] + kept, assurance: former.assurance, identifier: identifier, claims: former.claims)
        isContinuation = true
        wasAnonymous = former.methods.contains { $0.name == .anonymous }
    }
}

extension SessionEnding {
    /// Ends a session in whose place another one goes on.
    ///
    /// - Returns: the session as it was.
    /// - Throws: ``AuthErrorCode/sessionNotFound`` where it had ended.
    func replace(_ id: SessionID?) throws -> Session {
        guard let id, let former = try session(id), try end(id, because: .replaced) else {
            throw AuthError(.sessionNotFound)
        }
        return former
    }
}
