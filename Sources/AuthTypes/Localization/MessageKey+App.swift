// SPDX-License-Identifier: Apache-2.0

/// The keys of what an app shows beside errors: why nobody is signed in, ways on, banners, dialogs.
extension MessageKey {
    // Why nobody is signed in.
    public static let neverSignedIn = Self(rawValue: "auth.signed_out_never_signed_in")
    public static let userSignedOut = Self(rawValue: "auth.signed_out_by_user")
    public static let signedOutExpired = Self(rawValue: "auth.signed_out_expired")
    public static let signedOutRevoked = Self(rawValue: "auth.signed_out_revoked")
    public static let signedOutDeleted = Self(rawValue: "auth.signed_out_deleted")
    public static let signedOutDisabled = Self(rawValue: "auth.signed_out_disabled")
    public static let signedOutCorrupted = Self(rawValue: "auth.signed_out_corrupted")

    // Ways on from an error.
    public static let wayRetry = Self(rawValue: "auth.way_retry")
    public static let waySignIn = Self(rawValue: "auth.way_sign_in")
    public static let wayReconnect = Self(rawValue: "auth.way_reconnect")
    public static let wayCorrect = Self(rawValue: "auth.way_correct")
    public static let wayConfirm = Self(rawValue: "auth.way_confirm")
    public static let wayNewOne = Self(rawValue: "auth.way_new_one")
    /// Needs the value `minutes`.
    public static let wayWait = Self(rawValue: "auth.way_wait")
    public static let wayAnother = Self(rawValue: "auth.way_another")
    /// Needs the value `address`.
    public static let waySupport = Self(rawValue: "auth.way_support")
    /// Needs the value `code`.
    public static let unknownError = Self(rawValue: "auth.error_unknown")

    // Without a network.
    public static let offlineReadOnlyBanner = Self(rawValue: "auth.offline_read_only")
    public static let offlineBlockedBanner = Self(rawValue: "auth.offline_blocked")
    public static let offlineTooltip = Self(rawValue: "auth.offline_tooltip")

    // Screens.
    /// Needs the value `destination`.
    public static let confirmationSent = Self(rawValue: "auth.confirmation_sent")
    public static let confirmationSentAgain = Self(rawValue: "auth.confirmation_sent_again")
    public static let confirmedSignIn = Self(rawValue: "auth.confirmed_sign_in")
    public static let recoverySent = Self(rawValue: "auth.recovery_sent")
    public static let passwordChanged = Self(rawValue: "auth.password_changed")
    public static let passwordsDiffer = Self(rawValue: "auth.error_passwords_differ")
    public static let fieldMissing = Self(rawValue: "auth.error_field_missing")
    /// Needs the value `email`.
    public static let verifyBanner = Self(rawValue: "auth.verify_banner")
    public static let verifyBannerPlain = Self(rawValue: "auth.verify_banner_plain")
    public static let verifyResend = Self(rawValue: "auth.verify_resend")
    public static let activitiesEmpty = Self(rawValue: "auth.activities_empty")
    public static let signOutTitle = Self(rawValue: "auth.sign_out_title")
    public static let signOutLead = Self(rawValue: "auth.sign_out_lead")
    /// Needs the value `count`.
    public static let signOutUnsynced = Self(rawValue: "auth.sign_out_unsynced")
    public static let signOutKeep = Self(rawValue: "auth.sign_out_keep")
    public static let signOutKeepWarning = Self(rawValue: "auth.sign_out_keep_warning")
    public static let signOutConfirm = Self(rawValue: "auth.sign_out_confirm")
    public static let cancel = Self(rawValue: "auth.cancel")
    public static let deleteTitle = Self(rawValue: "auth.delete_title")
    public static let deleteLead = Self(rawValue: "auth.delete_lead")
    public static let deleteGrace = Self(rawValue: "auth.delete_grace")
    public static let deleteProof = Self(rawValue: "auth.delete_proof")
    public static let deleteConfirm = Self(rawValue: "auth.delete_confirm")
    public static let sessionCurrent = Self(rawValue: "auth.session_current")
    public static let sessionUnknown = Self(rawValue: "auth.session_unknown")
    public static let sessionRevoke = Self(rawValue: "auth.session_revoke")
    public static let sessionRevokeOthers = Self(rawValue: "auth.session_revoke_others")

    // What a user may consent to.
    public static let consentAnalytics = Self(rawValue: "auth.consent_analytics")
    public static let consentCrashReporting = Self(rawValue: "auth.consent_crash_reporting")
    public static let consentTelemetry = Self(rawValue: "auth.consent_telemetry")
    public static let consentPersonalizedData = Self(rawValue: "auth.consent_personalized_data")

    /// Every key above, for the test that no text is without a use.
    public static let allOfApp: [MessageKey] = [
        .neverSignedIn, .userSignedOut, .signedOutExpired, .signedOutRevoked, .signedOutDeleted, .signedOutDisabled,
        .signedOutCorrupted, .wayRetry, .waySignIn, .wayReconnect, .wayCorrect, .wayConfirm, .wayNewOne, .wayWait,
        .wayAnother, .waySupport, .unknownError, .offlineReadOnlyBanner, .offlineBlockedBanner, .offlineTooltip,
        .confirmationSent,
        .confirmationSentAgain, .confirmedSignIn, .recoverySent, .passwordChanged, .passwordsDiffer, .fieldMissing,
        .verifyBanner, .verifyBannerPlain, .verifyResend, .activitiesEmpty, .signOutTitle, .signOutLead,
        .signOutUnsynced, .signOutKeep, .signOutKeepWarning, .signOutConfirm, .cancel, .deleteTitle, .deleteLead,
        .deleteGrace,
        .deleteProof, .deleteConfirm, .sessionCurrent, .sessionUnknown, .sessionRevoke, .sessionRevokeOthers,
        .consentAnalytics, .consentCrashReporting, .consentTelemetry, .consentPersonalizedData,
    ]
}
