// SPDX-License-Identifier: Apache-2.0

/// Every way in which a person comes to a session, in each dialect's own words. A row of ``SignInTable``.
///
/// `cognitoPasskey` has verified its user, `cognitoPresence` is the same passkey that has only seen somebody.
/// `cognitoDevice` is a password with the secret of a remembered device behind it; in `cognitoDeviceAnswer` the account
/// comes to its state between the two. `hosted` is Cognito's hosted UI, before whose pages are those of `page`.
///
/// Not here, since no account is there yet: sign-up, anonymous users. Not here, since they are no sign-in: what changes
/// an open session (second factors, `/v1/…`), what programs are given (client credentials, service accounts).
enum SignInPath: String, CaseIterable, Sendable {
    // Supabase
    case supabasePassword, supabasePhonePassword, supabaseEmailCode, supabaseMagicLink, supabasePhoneCode
    case supabaseRecovery, supabaseExchange, supabaseIDToken, supabaseProvider, supabaseRefresh
    case supabasePasskey
    // Firebase
    case firebasePassword, firebaseEmailLink, firebasePhone, firebaseProvider, firebaseRedirect, firebaseCustomToken
    case firebaseRefresh
    // Cognito
    case cognitoPassword, cognitoAdministrator, cognitoChosenPassword, cognitoMailedCode, cognitoTextedCode
    case cognitoSRP, cognitoChosenSRP, cognitoAdministratorSRP, cognitoDevice, cognitoDeviceAnswer
    case cognitoRefresh, cognitoRenewal, cognitoCustom, cognitoPasskey, cognitoPresence
    case hostedCode, hostedRefresh
    // The OpenID provider, and the pages where its users sign in
    case pagePassword, pageProvider, openIDBrowser, openIDCode, openIDRefresh, openIDDevice

    /// What a client has in hand before it shows it: a code that was sent, a token, a challenge's answer.
    typealias Proof = String

    /// Whether it is a message that proves who signs in, or what programs have asked. What was sent, or begun, before
    /// an account was given up went with it.
    var isByMessage: Bool {
        switch self {
        case .supabaseEmailCode, .supabaseMagicLink, .supabasePhoneCode, .supabaseRecovery, .supabaseExchange,
            .firebaseEmailLink, .firebasePhone, .cognitoMailedCode, .cognitoTextedCode, .cognitoCustom:
            true
        default: false
        }
    }

    /// Takes what is to be shown.
    func proof(in world: SignInWorld) async throws -> Proof {
        switch self {
        case .supabasePassword, .supabasePhonePassword, .firebasePassword, .cognitoPassword, .cognitoAdministrator,
            .cognitoChosenPassword, .pagePassword, .firebaseCustomToken:
            ""
        case .supabaseIDToken, .firebaseProvider: try world.vouch()
        case .supabaseEmailCode, .supabaseMagicLink, .supabasePhoneCode, .supabaseRecovery, .supabaseExchange,
            .supabaseProvider, .supabaseRefresh, .supabasePasskey:
            try await world.supabaseProof(self)
        case .firebaseEmailLink, .firebasePhone, .firebaseRedirect, .firebaseRefresh:
            try await world.firebaseProof(self)
        case .cognitoSRP, .cognitoChosenSRP, .cognitoAdministratorSRP, .cognitoDevice, .cognitoDeviceAnswer:
            try await world.cognitoSecretProof(self)
        case .cognitoMailedCode, .cognitoTextedCode, .cognitoRefresh, .cognitoRenewal, .cognitoCustom, .cognitoPasskey,
            .cognitoPresence:
            try await world.cognitoProof(self)
        case .pageProvider, .openIDBrowser, .openIDCode, .openIDRefresh, .openIDDevice, .hostedCode, .hostedRefresh:
            try await world.openIDProof(self)
        }
    }

    /// Shows it.
    ///
    /// - Returns: what the client reads: `session` with what it says of itself, the step that comes first, or the
    ///   refusal.
    func outcome(of proof: Proof, in world: SignInWorld) async throws -> String {
        switch self {
        case .supabasePassword, .supabasePhonePassword, .supabaseEmailCode, .supabaseMagicLink, .supabasePhoneCode,
            .supabaseRecovery, .supabaseExchange, .supabaseIDToken, .supabaseProvider, .supabaseRefresh,
            .supabasePasskey:
            try await world.supabase(self, proof)
        case .firebasePassword, .firebaseEmailLink, .firebasePhone, .firebaseProvider, .firebaseRedirect,
            .firebaseCustomToken, .firebaseRefresh:
            try await world.firebase(self, proof)
        case .cognitoPassword, .cognitoAdministrator, .cognitoChosenPassword, .cognitoMailedCode, .cognitoTextedCode,
            .cognitoSRP, .cognitoChosenSRP, .cognitoAdministratorSRP, .cognitoDevice, .cognitoDeviceAnswer,
            .cognitoRefresh,
            .cognitoRenewal, .cognitoCustom, .cognitoPasskey, .cognitoPresence:
            try await world.cognito(self, proof)
        case .pagePassword, .pageProvider, .openIDBrowser, .openIDCode, .openIDRefresh, .openIDDevice, .hostedCode,
            .hostedRefresh:
            try await world.openID(self, proof)
        }
    }

    // MARK: What there must be

    /// Whether a password is proved without being shown, of which the Directory keeps verifiers.
    var isBySRP: Bool { [.cognitoSRP, .cognitoChosenSRP, .cognitoAdministratorSRP].contains(self) }
    /// Whether the pool remembers devices.
    var isOnDevice: Bool { [.cognitoDevice, .cognitoDeviceAnswer].contains(self) }
    /// Whether the app is a client of Cognito's hosted UI.
    var isHosted: Bool { [.hostedCode, .hostedRefresh].contains(self) }
}
