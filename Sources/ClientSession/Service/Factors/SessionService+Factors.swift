// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Second factors of whoever is signed in. What an operation is begun with is bound to the session that it was begun in.
extension SessionService: SecondFactorService {
    public func secondFactors() async throws(AuthError) -> SecondFactors {
        let backend = try feature((any SecondFactorBackend).self)
        return try await ask { session throws(AuthError) in
            let found = try await backend.secondFactors(session.tokens)
            guard self.isThere(session) else { throw AuthError(.superseded) }
            return found
        }
    }

    public func enrol(_ factor: NewSecondFactor) async throws(AuthError) -> FactorEnrolment? {
        let backend = try feature((any SecondFactorBackend).self)
        // A key is its user's to show, in the system's sheet.
        let isBrief = factor.kind != .securityKey && factor.kind != .passkey
        return try await inTurn(isBrief: isBrief) { [self] session throws(AuthError) in
            switch try await backend.enrol(factor, session.tokens) {
            case .awaiting(var enrolment):
                guard isThere(session) else { throw AuthError(.superseded) }
                enrolment.ticket = SessionTicket(of: session).marking(enrolment.ticket)
                return enrolment
            case .done(let grant):
                if let grant { try await take(grant, of: session) }
                return nil
            }
        }
    }

    public func confirm(_ enrolment: FactorEnrolment, with code: Secret<String>) async throws(AuthError) {
        let backend = try feature((any SecondFactorBackend).self)
        _ = try await inTurn(isBrief: true) { [self] session throws(AuthError) in
            try SessionTicket(in: enrolment.ticket).check(session)
            if let grant = try await backend.confirm(enrolment, with: code, session.tokens) {
                try await take(grant, of: session)
            }
        }
    }

    public func removeFactor(_ id: String) async throws(AuthError) {
        let backend = try feature((any SecondFactorBackend).self)
        _ = try await inTurn(isBrief: true) { [self] session throws(AuthError) in
            if let grant = try await backend.removeFactor(id, session.tokens) { try await take(grant, of: session) }
        }
    }

    public func makeBackupCodes() async throws(AuthError) -> [Secret<String>] {
        let backend = try feature((any BackupCodeBackend).self)
        return try await inTurn(isBrief: true) { session throws(AuthError) in
            let codes = try await backend.makeBackupCodes(session.tokens)
            // Nobody else is shown them.
            guard self.isThere(session) else { throw AuthError(.superseded) }
            return codes
        }
    }
}

extension SessionService: PasskeyService {
    public func passkeys() async throws(AuthError) -> [Passkey] {
        let backend = try feature((any PasskeyBackend).self)
        return try await ask { session throws(AuthError) in
            let found = try await backend.passkeys(session.tokens)
            guard self.isThere(session) else { throw AuthError(.superseded) }
            return found
        }
    }

    public func addPasskey() async throws(AuthError) {
        let backend = try feature((any PasskeyBackend).self)
        // The user takes their time over it: nothing else of the account waits for that.
        try await ask { session throws(AuthError) in try await backend.addPasskey(session.tokens) }
    }

    public func removePasskey(_ id: String) async throws(AuthError) {
        let backend = try feature((any PasskeyBackend).self)
        try await ask { session throws(AuthError) in try await backend.removePasskey(id, session.tokens) }
    }
}
