// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The `kind` that the platform's answers carry. Some SDKs take an answer without one for a failure.
enum Kind: String {
    case signUp = "identitytoolkit#SignupNewUserResponse"
    case passwordSignIn = "identitytoolkit#VerifyPasswordResponse"
    case customTokenSignIn = "identitytoolkit#VerifyCustomTokenResponse"
    case providerSignIn = "identitytoolkit#VerifyAssertionResponse"
    case emailLinkSignIn = "identitytoolkit#EmailLinkSigninResponse"
    case createAuthURI = "identitytoolkit#CreateAuthUriResponse"
    case lookup = "identitytoolkit#GetAccountInfoResponse"
    case update = "identitytoolkit#SetAccountInfoResponse"
    case delete = "identitytoolkit#DeleteAccountResponse"
    case sendCode = "identitytoolkit#GetOobConfirmationCodeResponse"
    case resetPassword = "identitytoolkit#ResetPasswordResponse"
    case recaptcha = "identitytoolkit#GetRecaptchaParamResponse"
    case upload = "identitytoolkit#UploadAccountResponse"
    case download = "identitytoolkit#DownloadAccountResponse"

    /// The beginning of an answer of this kind.
    var object: JSONObject { ["kind": .string(rawValue)] }
}
