// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// What only an app says. The codes of its errors are the app's, so that they stand here by their keys.
    static let englishOfApp: [MessageKey: String] = [
        MessageKey(rawValue: "auth.error_cancelled"):
            "The sign-in was cancelled.",
        MessageKey(rawValue: "auth.error_insecure_transport"):
            "This connection is not secure, so nothing was sent.",
        MessageKey(rawValue: "auth.error_untrusted_server"):
            "The service could not prove who it is. You may be in a network that reads along.",
        MessageKey(rawValue: "auth.error_store_unavailable"):
            "Your saved sign-in can't be read at the moment. Please unlock the device.",
        MessageKey(rawValue: "auth.error_not_signed_in"):
            "Please sign in first.",
        MessageKey(rawValue: "auth.error_superseded"):
            "Somebody else has signed in or out in the meantime.",
        MessageKey(rawValue: "auth.error_offline_read_only"):
            "Reconnect to make changes",
        MessageKey(rawValue: "auth.error_offline_blocked"):
            "Session expired - please reconnect to continue",

        .neverSignedIn: "Please sign in.",
        .userSignedOut: "You have signed out.",
        .signedOutExpired: "Your session has expired. Please sign in again.",
        .signedOutRevoked: "Your session was ended elsewhere. Please sign in again.",
        .signedOutDeleted: "Your account has been deleted.",
        .signedOutDisabled: "Your account has been disabled. Please contact support.",
        .signedOutCorrupted: "What was saved of your sign-in could not be read. Please sign in again.",
        .wayRetry: "Try again",
        .waySignIn: "Sign in",
        .wayReconnect: "Connect to the internet and try again",
        .wayCorrect: "Please check what you entered",
        .wayConfirm: "Send the message again",
        .wayNewOne: "Request a new one",
        .wayWait: "Please wait {minutes} min before you try again",
        .wayAnother: "Sign in another way",
        .waySupport: "Contact support: {address}",
        .unknownError: "Something went wrong ({code}). Please try again later.",
        .offlineReadOnlyBanner: "Offline - changes will sync later",
        .offlineBlockedBanner: "Session expired - please reconnect to continue",
        .offlineTooltip: "Reconnect to make changes",
        .confirmationSent: "We have sent a message to {destination}.",
        .confirmationSentAgain: "If the address is waiting to be confirmed, we have sent the message again.",
        .confirmedSignIn: "Your address has been confirmed. Please sign in.",
        .recoverySent: "If there is an account with this address, we have sent instructions to it.",
        .passwordChanged: "Your password has been changed.",
        .passwordsDiffer: "The two passwords are not the same.",
        .fieldMissing: "Please fill in this field.",
        .verifyBanner: "Please confirm your email address {email}.",
        .verifyBannerPlain: "Please confirm your email address.",
        .verifyResend: "Resend verification email",
        .activitiesEmpty: "Nothing here yet. Start your first session: every practice counts!",
        .signOutTitle: "Sign out?",
        .signOutLead: "You will have to sign in again on this device.",
        .signOutUnsynced: "{count} changes have not been synced yet and will be lost.",
        .signOutKeep: "Keep my data on this device",
        .signOutKeepWarning: "Whoever can use this device will be able to see the data that stays on it.",
        .signOutConfirm: "Sign out",
        .cancel: "Cancel",
        .deleteTitle: "Delete your account?",
        .deleteLead: "Your account and everything in it will be deleted for good. This can't be undone.",
        .deleteGrace:
            "You are signed out everywhere, and your account is deleted with everything in it once the time of grace is over. "
            + "Signing in before then keeps it.",
        .deleteProof: "Please show once more that it is you.",
        .deleteConfirm: "Delete account",
        .sessionCurrent: "This device",
        .sessionUnknown: "Unknown device",
        .sessionRevoke: "Sign out this device",
        .sessionRevokeOthers: "Sign out all other devices",
        .consentAnalytics: "Tell the makers of this app how it is used",
        .consentCrashReporting: "Report crashes and errors",
        .consentTelemetry: "Report how well the app works",
        .consentPersonalizedData: "Leave what identifies me in these reports",
    ]
}
