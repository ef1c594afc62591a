// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

extension CallContext {
    /// For whom public key credentials are made and used: what the operator says, and else the site and our own pages.
    /// Nothing of it is ever from a request.
    ///
    /// - Throws: ``AuthErrorCode/factorDisabled`` where nothing says which domain it is.
    func relyingParty() throws(AuthError) -> RelyingParty {
        let own = [settings.siteURL ?? "", links.home(of: directory)].compactMap { WebOrigin($0) }
        // An address is nobody's domain. Whoever develops opens the same pages by this machine's name.
        let named = own.compactMap(\.ofThisMachine)
        guard let id = settings.passkeys.relyingPartyID ?? own.first.map({ ($0.ofThisMachine ?? $0).host }) else {
            throw AuthError(
                .factorDisabled, reason: "neither directory.passkeys.rpId nor directory.siteUrl is set",
                field: Factor.Kind.webAuthn.rawValue)
        }
        // The domain's own page may use what is made for the domain.
        let domain = settings.passkeys.relyingPartyID.flatMap { WebOrigin("https://" + $0) }
        let usual = (own + named + [domain].compactMap(\.self)).map(\.text)
        let origins = settings.passkeys.origins.isEmpty ? usual : settings.passkeys.origins
        return RelyingParty(id: id, origins: origins + (client?.settings.passkeyOrigins ?? []))
    }

    /// Whether a page at this origin can ask for the Directory's passkeys and security keys: browsers let it ask in the
    /// name of its own host or of a domain above it, never of an address (Web Authentication Level 3, section 5.1.3,
    /// step 8), and no answer is taken of a page that is not the Directory's.
    ///
    /// - Parameter url: of the page, or its origin.
    public func asksAuthenticators(at url: String) -> Bool {
        guard let page = WebOrigin(url), let party = try? relyingParty(), party.origins.contains(page.text) else {
            return false
        }
        let isAddress = page.host.hasPrefix("[") || page.host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && (page.host == party.id || page.host.hasSuffix("." + party.id))
    }
}

extension CallContext {
    /// What new credentials' attestations are held to.
    ///
    /// - Throws: ``AuthErrorCode/factorDisabled`` for settings that can't be read: with less than the operator wants
    ///   none is made.
    func attestationPolicy() throws(AuthError) -> AttestationPolicy {
        let passkeys = settings.passkeys
        guard passkeys.asksForAttestation else { return .optional }
        func unreadable(_ name: String) -> AuthError {
            AuthError(
                .factorDisabled, reason: "directory.passkeys.\(name) can't be read",
                field: Factor.Kind.webAuthn.rawValue)
        }
        var models: Set<[UInt8]> = []
        for text in passkeys.models {
            guard let model = Hex.decode(text.lowercased().filter { $0 != "-" }), model.count == 16 else {
                throw unreadable("models")
            }
            models.insert(model)
        }
        var roots: [[UInt8]] = []
        for text in passkeys.attestationRoots {
            guard let root = Self.certificate(text) else { throw unreadable("attestationRoots") }
            roots.append(root)
        }
        do {
            return try AttestationPolicy(roots: roots, demandsTrust: !roots.isEmpty, models: models)
        } catch {
            throw unreadable("attestationRoots")
        }
    }

    /// DER, of base64 with the lines around it that PEM has (RFC 7468, section 5) or without.
    private static func certificate(_ text: String) -> [UInt8]? {
        var digits = text.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        digits.removeAll { $0.hasPrefix("-----") || $0.isEmpty }
        return Base64.decode(digits.joined())
    }
}

extension DirectorySettings.Passkeys {
    /// Whether authenticators are asked which model they are.
    var asksForAttestation: Bool { attestation == .direct || !attestationRoots.isEmpty || !models.isEmpty }
}

extension UserVerification {
    init(_ setting: DirectorySettings.UserVerification) {
        switch setting {
        case .required: self = .required
        case .preferred: self = .preferred
        case .discouraged: self = .discouraged
        }
    }
}
