// SPDX-License-Identifier: Apache-2.0

/// What each path answers in each state, written from the vendors' own words and not from this server's.
///
/// - **Supabase** (`supabase/auth`, `internal/api`): a password of an unconfirmed address is `email_not_confirmed`, of
///   an unconfirmed number `phone_not_confirmed`; whatever proves an address confirms it. A ban is 400 to a password
///   and a refresh, 403 to the rest. Sessions begin at `aal1`, and it is the app that asks for a factor. It has no
///   temporary passwords: `password_change_required` is ours.
/// - **Firebase** (Identity Toolkit): an address need not be verified. A ban is `USER_DISABLED`. A second factor is
///   asked for by `mfaPendingCredential`, except after a number, which is no first factor of theirs
///   (`UNSUPPORTED_FIRST_FACTOR`); who must enrol one can't do so before a session, so there is none. A custom token is
///   the operator's word and asks nothing.
/// - **Cognito** (API reference, `InitiateAuth`): `UserNotConfirmedException`, "User is disabled.", and one challenge
///   for each step that comes first.
/// - **OpenID Connect**, section 3.1.2.6, and RFC 6749, section 5.2: `login_required` to a browser that may not ask,
///   `invalid_grant` for what is worth nothing any more.
/// - **Terms due**: no vendor has such a step; the answers are those of `docs/account-lifecycle.md` ("How it is said").
///   Of everybody and by every way, a custom token too; sessions and codes of apps that there are go on, and a browser
///   that may not ask is told `interaction_required` (OpenID Connect, section 3.1.2.6).
/// - **Locked**: a password is a wrong one in the vendor's words (`docs/account-lifecycle.md`); nothing else is locked,
///   and sessions live on. **Leaving**: signing in undoes it; sessions have ended.
enum SignInTable {
    /// In the order of ``AccountState``.
    static func answers(_ path: SignInPath) -> [String] {
        switch path {
        case .supabasePassword:
            [
                "session aal1", "400 email_not_confirmed", "400 user_banned", "400 invalid_credentials", "session aal1",
                "session aal1", "session aal1", "400 password_change_required", terms,
            ]
        case .supabasePhonePassword:
            [
                "session aal1", "400 phone_not_confirmed", "400 user_banned", "400 invalid_credentials", "session aal1",
                "session aal1", "session aal1", "400 password_change_required", terms,
            ]
        // What was sent before a ban went with it, as it does with a deletion.
        case .supabaseEmailCode, .supabaseMagicLink, .supabasePhoneCode, .supabaseRecovery:
            supabaseProof("403 otp_expired")
        case .supabaseExchange: supabaseProof("404 flow_state_not_found")
        case .supabaseIDToken: supabaseProof("403 user_banned")
        // The browser takes a refusal back to the app, and else a code that the app redeems.
        case .supabaseProvider: supabaseProof("access_denied user_banned")
        case .supabaseRefresh:
            [
                "session aal1", "session aal1", "400 user_banned", "session aal1", "400 refresh_token_not_found",
                "session aal1", "session aal1", "session aal1", "session aal1",
            ]
        case .supabasePasskey:
            [
                "session aal2", "403 email_not_confirmed", "403 user_banned", "session aal2", "session aal2",
                "session aal2", "session aal2", "session aal2", terms,
            ]
        case .firebasePassword:
            [
                "session", "session", "400 USER_DISABLED", "400 INVALID_LOGIN_CREDENTIALS", "session", "pending totp",
                "400 OPERATION_NOT_ALLOWED", "400 PASSWORD_DOES_NOT_MEET_REQUIREMENTS", blocked,
            ]
        case .firebaseEmailLink: firebaseProof("pending totp", disabled: "400 INVALID_OOB_CODE")
        case .firebaseProvider, .firebaseRedirect: firebaseProof("pending totp", disabled: "400 USER_DISABLED")
        case .firebasePhone: firebaseProof("400 UNSUPPORTED_FIRST_FACTOR", disabled: "400 INVALID_CODE")
        case .firebaseCustomToken:
            [
                "session", "session", "400 USER_DISABLED", "session", "session", "session", "session", "session",
                blocked,
            ]
        case .firebaseRefresh:
            [
                "session", "session", "400 USER_DISABLED", "session", "400 TOKEN_EXPIRED", "session", "session",
                "session", "session",
            ]
        case .cognitoPassword, .cognitoAdministrator, .cognitoChosenPassword, .cognitoSRP, .cognitoChosenSRP,
            .cognitoAdministratorSRP, .cognitoDevice:
            [
                "session", unconfirmed, disabled,
                "NotAuthorizedException: Incorrect username or password.", "session", "SOFTWARE_TOKEN_MFA",
                "MFA_SETUP", "NEW_PASSWORD_REQUIRED", agreement,
            ]
        case .cognitoMailedCode, .cognitoTextedCode:
            [
                "session", "session", "CodeMismatchException: Invalid verification code provided, please try again.",
                "session", "session", "SOFTWARE_TOKEN_MFA", "MFA_SETUP", "session", agreement,
            ]
        case .cognitoDeviceAnswer:
            // The password was judged by then. What ends the user's sessions ends what waits for a step, too, and so
            // does a step that has come before.
            [
                "session", unconfirmed, over, "session", over, "SOFTWARE_TOKEN_MFA", "MFA_SETUP", over, agreement,
            ]
        case .cognitoRefresh, .cognitoRenewal:
            [
                "session", "session", disabled, "session", "NotAuthorizedException: Refresh Token has been revoked",
                "session", "session", "session", "session",
            ]
        case .cognitoCustom:
            // What programs have asked proves no address, and is no password that somebody else has chosen.
            [
                "session", unconfirmed, disabled, "session", "session", "SOFTWARE_TOKEN_MFA", "MFA_SETUP", "session",
                agreement,
            ]
        case .cognitoPasskey:
            ["session", unconfirmed, disabled, "session", "session", "session", "session", "session", agreement]
        case .cognitoPresence:
            [
                "session", unconfirmed, disabled, "session", "session", "SOFTWARE_TOKEN_MFA", "MFA_SETUP", "session",
                agreement,
            ]
        case .pageProvider:
            [
                "session", "session", "/account/sign-in user_banned", "session", "session", "/account/second-factor",
                "/account/factors/new", "session", "/account/terms",
            ]
        case .pagePassword:
            [
                "session", "/account/confirm", "400", "400", "session", "/account/second-factor",
                "/account/factors/new", "/account/new-password", "/account/terms",
            ]
        case .openIDBrowser:
            // A session that is there goes on. Setting up a factor ends those without; a demand is met at the next
            // sign-in.
            [
                "code", "code", "login_required", "code", "login_required", "code", "code", "code",
                "interaction_required",
            ]
        case .openIDCode, .openIDRefresh, .openIDDevice, .hostedCode, .hostedRefresh:
            [
                "session", "session", "400 invalid_grant", "session", "400 invalid_grant", "session", "session",
                "session", "session",
            ]
        }
    }

    private static let unconfirmed = "UserNotConfirmedException: User is not confirmed."
    private static let disabled = "NotAuthorizedException: User is disabled."
    private static let over =
        "NotAuthorizedException: Invalid session for the user, session can only be used once."
    private static let terms = "403 terms_not_agreed"
    private static let blocked = "400 BLOCKING_FUNCTION_ERROR_RESPONSE"
    private static let agreement =
        "NotAuthorizedException: The current terms must be agreed to first: \(SignInWorld.page)"

    private static func supabaseProof(_ disabled: String) -> [String] {
        [
            "session aal1", "session aal1", disabled, "session aal1", "session aal1", "session aal1", "session aal1",
            "session aal1", terms,
        ]
    }

    private static func firebaseProof(_ factor: String, disabled: String) -> [String] {
        [
            "session", "session", disabled, "session", "session", factor, "400 OPERATION_NOT_ALLOWED",
            "session", blocked,
        ]
    }
}
