// SPDX-License-Identifier: Apache-2.0

/// The keys of what an app shows beside errors: why nobody is signed in, ways on, banners, dialogs.
extension MessageKey {
    // Why nobody is signed in.
    /// Nobody has signed in yet.
    public static let neverSignedIn = Self(rawValue: "auth.signed_out_never_signed_in")
    /// The user has signed out.
    public static let userSignedOut = Self(rawValue: "auth.signed_out_by_user")
    /// The session's time was over.
    public static let signedOutExpired = Self(rawValue: "auth.signed_out_expired")
    /// The session was ended elsewhere.
    public static let signedOutRevoked = Self(rawValue: "auth.signed_out_revoked")
    /// The account was deleted.
    public static let signedOutDeleted = Self(rawValue: "auth.signed_out_deleted")
    /// The account was disabled.
    public static let signedOutDisabled = Self(rawValue: "auth.signed_out_disabled")
    /// What the device kept of the session can't be read.
    public static let signedOutCorrupted = Self(rawValue: "auth.signed_out_corrupted")

    // Ways on from an error.
    /// To try again.
    public static let wayRetry = Self(rawValue: "auth.way_retry")
    /// To sign in.
    public static let waySignIn = Self(rawValue: "auth.way_sign_in")
    /// To get a network and try again.
    public static let wayReconnect = Self(rawValue: "auth.way_reconnect")
    /// To look at what was typed.
    public static let wayCorrect = Self(rawValue: "auth.way_correct")
    /// To have the message sent again that confirms an address.
    public static let wayConfirm = Self(rawValue: "auth.way_confirm")
    /// To ask for another link or code.
    public static let wayNewOne = Self(rawValue: "auth.way_new_one")
    /// Needs the value `minutes`.
    public static let wayWait = Self(rawValue: "auth.way_wait")
    /// To sign in another way.
    public static let wayAnother = Self(rawValue: "auth.way_another")
    /// Needs the value `address`.
    public static let waySupport = Self(rawValue: "auth.way_support")
    /// Needs the value `code`.
    public static let unknownError = Self(rawValue: "auth.error_unknown")

    // Without a network.
    /// Changes wait until there is a network.
    public static let offlineReadOnlyBanner = Self(rawValue: "auth.offline_read_only")
    /// Nothing goes on until there is a network.
    public static let offlineBlockedBanner = Self(rawValue: "auth.offline_blocked")
    /// Of what can't be pressed without a network.
    public static let offlineTooltip = Self(rawValue: "auth.offline_tooltip")

    // Screens.
    /// Needs the value `destination`.
    public static let confirmationSent = Self(rawValue: "auth.confirmation_sent")
    /// The message was sent once more, if anybody waits for it.
    public static let confirmationSentAgain = Self(rawValue: "auth.confirmation_sent_again")
    /// The address is confirmed, and a sign-in comes next.
    public static let confirmedSignIn = Self(rawValue: "auth.confirmed_sign_in")
    /// Instructions are on their way, if there is such an account.
    public static let recoverySent = Self(rawValue: "auth.recovery_sent")
    /// The password is another one now.
    public static let passwordChanged = Self(rawValue: "auth.password_changed")
    /// The password was typed in two ways.
    public static let passwordsDiffer = Self(rawValue: "auth.error_passwords_differ")
    /// Of a field that is empty.
    public static let fieldMissing = Self(rawValue: "auth.error_field_missing")
    /// Needs the value `email`.
    public static let verifyBanner = Self(rawValue: "auth.verify_banner")
    /// The reminder to confirm an address that is not known.
    public static let verifyBannerPlain = Self(rawValue: "auth.verify_banner_plain")
    /// The button that sends the message again.
    public static let verifyResend = Self(rawValue: "auth.verify_resend")
    /// In the place of a list that is empty.
    public static let activitiesEmpty = Self(rawValue: "auth.activities_empty")
    /// The heading of the question before a sign-out.
    public static let signOutTitle = Self(rawValue: "auth.sign_out_title")
    /// What a sign-out means.
    public static let signOutLead = Self(rawValue: "auth.sign_out_lead")
    /// Needs the value `count`.
    public static let signOutUnsynced = Self(rawValue: "auth.sign_out_unsynced")
    /// The choice to leave data on the device.
    public static let signOutKeep = Self(rawValue: "auth.sign_out_keep")
    /// What that choice means.
    public static let signOutKeepWarning = Self(rawValue: "auth.sign_out_keep_warning")
    /// The button that signs out.
    public static let signOutConfirm = Self(rawValue: "auth.sign_out_confirm")
    /// The button that leaves all as it is.
    public static let cancel = Self(rawValue: "auth.cancel")
    /// The heading of the question before a deletion.
    public static let deleteTitle = Self(rawValue: "auth.delete_title")
    /// What a deletion means.
    public static let deleteLead = Self(rawValue: "auth.delete_lead")
    /// What a deletion means that can be undone for a time.
    public static let deleteGrace = Self(rawValue: "auth.delete_grace")
    /// Asks for a fresh proof of who it is.
    public static let deleteProof = Self(rawValue: "auth.delete_proof")
    /// The button that deletes the account.
    public static let deleteConfirm = Self(rawValue: "auth.delete_confirm")
    /// The device that is looked at.
    public static let sessionCurrent = Self(rawValue: "auth.session_current")
    /// A device of which nothing is known.
    public static let sessionUnknown = Self(rawValue: "auth.session_unknown")
    /// The button that signs one device out.
    public static let sessionRevoke = Self(rawValue: "auth.session_revoke")
    /// The button that signs all other devices out.
    public static let sessionRevokeOthers = Self(rawValue: "auth.session_revoke_others")

    // What a user may consent to.
    /// To how the app is used being told.
    public static let consentAnalytics = Self(rawValue: "auth.consent_analytics")
    /// To crashes and errors being told.
    public static let consentCrashReporting = Self(rawValue: "auth.consent_crash_reporting")
    /// To how well the app works being told.
    public static let consentTelemetry = Self(rawValue: "auth.consent_telemetry")
    /// To being known in these reports.
    public static let consentPersonalizedData = Self(rawValue: "auth.consent_personalized_data")

    /// Every key above, for the test that no text is without a use.
    package static let allOfApp: [MessageKey] = [
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
