// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// Of the pages on which people see to their account, and to its second factors.
    static let englishAccount: [PageText: String] = [
        .secondFactor: "Enter your code",
        .factorAppLead: "Open your authenticator app, and enter the code that it shows.",
        .factorAppNamedLead: "Open your authenticator app ({name}), and enter the code that it shows.",
        .factorSendLead: "Have a code sent to {address}, and enter it here.",
        .factorElsewhere:
            "Your second factor can’t be used on this page. Please sign in in the app in which you set it "
            + "up.",
        .lostFactor: "I have lost my device",
        .lostFactorTitle: "Sign in without your second factor",
        .lostFactorLead:
            "If none of your second factors will turn up again, they can be removed after a wait: from {time} on, signing in "
            + "does it.",
        .lostFactorNote:
            "We tell you of it everywhere we reach you. Whoever gets that message, or has one of the factors, can stop it "
            + "meanwhile.",
        .lostFactorButton: "Begin the wait",
        .lostFactorElsewhere:
            "Your second factors can’t be removed this way. Please ask whoever runs this service.",
        .lostFactorWaits: "Your second factors will be removed",
        .lostFactorWaitsLead:
            "Please come back between {time} and {end}, and sign in: that removes them. Until then nothing changes. We have "
            + "sent you a message by which you can stop it.",
        .lostFactorRipeLead:
            "The wait is over. Please sign in again before {end}: that removes them, and you can set up new ones.",
        .recoveryStopped: "Your second factors stay",
        .recoveryStoppedLead:
            "Nobody removes them now. If you have not asked for it, somebody knows your password: please change it.",
        .factorLocked: "There were too many wrong codes. Please try again in {minutes} minutes.",
        .factorUse: "Use another way: {factor}",
        .factorApp: "Authenticator app",
        .factorText: "Text message",
        .factorMail: "Email",
        .factorKey: "Security key",
        .factorKeyOrDevice: "Security key or this device",
        .newKeyLead:
            "Besides your password you are then asked for a security key, or for what unlocks this device: your "
            + "fingerprint, your face or its PIN.",
        .keyMake: "Set up now",
        .keyLead: "Have the security key ready, or the device, that you set up for your account.",
        .keyUse: "Use security key or device",
        .passkey: "Passkey",
        .passkeys: "Passkeys",
        .passkeysLead:
            "With a passkey you sign in by your fingerprint, your face or the PIN of your device. There is no password "
            + "to remember, and none that anybody could steal.",
        .noPasskeys: "You have no passkeys.",
        .passkeysCount: "{count} set up",
        .passkeySince: "Added {time}",
        .passkeyAdd: "Add a passkey",
        .passkeyNew: "Add a passkey",
        .passkeyNewLead:
            "Your browser will ask you to unlock this device, or offer to use a phone or a security key. The passkey "
            + "stays there, and we keep nothing by which anybody else could sign in.",
        .passkeyMake: "Make a passkey",
        .passkeyAdded: "Your passkey is set up. You can sign in by it from now on.",
        .passkeyName: "Rename passkey",
        .passkeyNameLead: "Choose a name by which you know where the passkey is.",
        .passkeyNameLabel: "Name of the passkey",
        .passkeyNameTaken: "You have another of this name already.",
        .passkeyNamed: "The passkey was renamed.",
        .passkeyRemoveTitle: "Remove this passkey?",
        .passkeyRemoveLead:
            "Nobody can then sign in by {passkey} any more. Your device may still offer it: delete it there, too.",
        .passkeyRemoved: "The passkey was removed.",
        .passkeySignIn: "Sign in with a passkey",
        .passkeyUse: "Use a passkey",
        .passkeyUseLead: "Sign in by one of your passkeys instead.",
        .passkeyNoScript:
            "This needs JavaScript, and a browser that knows passkeys. Everything else here works without.",
        .passkeyStopped: "Nothing was confirmed. You can try again.",
        .passkeyFailed: "That did not work. Please try again, or use another way.",
        .passkeyKnown: "This device or security key is set up for your account already.",
        .passkeyRefused: "This can’t be used for your account here. Please try again, or use another way.",
        .passkeyLate: "That took too long, or was sent already. Please try again.",
        .rename: "Rename",
        .backupCodeLead: "Enter one of the backup codes that you wrote down. Each works once.",
        .backupCodeLabel: "Backup code",
        .backupCodeHint: "Such as k3wq-7zfa-m2xd-pq6h",
        .backupCodeUse: "Use a backup code",
        .newFactor: "Set up two-step sign-in",
        .newFactorLead: "Besides your password you are then asked for a code that only you can have.",
        .newFactorDemanded: "Your account needs a second step to sign in.",
        .newAppLead: "You need an authenticator app on your phone or computer: it shows a new code every 30 seconds.",
        .newTextLead: "We send a code by text message whenever you sign in.",
        .newMailLead: "We send a code by email whenever you sign in.",
        .factorNoKind: "No kind of second factor can be set up here. Please ask whoever runs this service.",
        .scanLead: "Scan this picture with your authenticator app, then enter the code that the app shows.",
        .scanImage: "QR code for your authenticator app",
        .openApp: "Open the app on this device",
        .typeSecret: "Or type this key into the app:",
        .backupCodes: "Backup codes",
        .backupCodesLead:
            "Write these codes down or print them, and keep them safe. Each lets you in once, should you "
            + "lose your second factor. They are shown only now.",
        .backupCodesKept: "I have kept them",
        .backupCodesMake: "Make new codes",
        .backupCodesMakeLead: "You get ten codes for the day on which you lose your second factor.",
        .backupCodesAnewLead: "You get ten new codes. The ones that you have work no more.",
        .backupCodesLeft: "You have {count} codes left.",
        .noBackupCodes: "You have no backup codes.",
        .factors: "Two-step sign-in",
        .factorsLead: "Whoever learns your password still can’t sign in without your second factor.",
        .noFactors: "You have not set up a second factor.",
        .factorAdd: "Add a second factor",
        .factorAdded: "Your second factor is set up.",
        .remove: "Remove",
        .factorRemoveLabel: "{factor}: Remove",
        .factorRemoveTitle: "Remove this second factor?",
        .factorRemoveLead: "{factor} is no longer asked for when you sign in.",
        .factorRemoveLastLead:
            "{factor} is your only one: your password alone then lets you in, and your backup codes work no "
            + "more.",
        .factorRemoved: "The second factor was removed.",
        .profile: "Profile",
        .profileSaved: "Your profile was saved.",
        .save: "Save",
        .change: "Change",
        .changeLabel: "{what}: Change",
        .notSet: "Not set",
        .notConfirmed: "{address} (not confirmed yet)",
        .localeBrowser: "As in the browser",
        .changeEmail: "Change your email address",
        .changeEmailLead: "Your address now: {address}",
        .changeEmailSent:
            "We sent a message to {address}. Open the link in it, or enter the code here. Until then your "
            + "former address stays.",
        .changeEmailBoth:
            "We sent messages to {address} and to your former address. The change takes effect once the "
            + "links in both were opened, or both codes were entered here.",
        .newEmailLabel: "New email address",
        .changePhone: "Change your phone number",
        .changePhoneLead: "Your number now: {address}",
        .newPhoneLabel: "New phone number",
        .phoneChanged: "Your phone number is confirmed.",
        .identities: "Other ways to sign in",
        .identitiesLead: "Accounts elsewhere by which you can sign in here.",
        .noIdentities: "There are none.",
        .identityLink: "Connect {provider}",
        .identityLinked: "The account is connected.",
        .identityUnlinked: "The account is no longer connected.",
        .identityRemoveTitle: "Disconnect this account?",
        .identityRemoveLead: "You can then no longer sign in with {provider}.",
        .signInMethods: "How you sign in",
        .undoFactor: "Was that not you?",
        .undoFactorButton: "Remove it and choose a new password",
        .undoPasskeyButton: "Remove it and choose a new password",
        .undoFactorLead: "Since {time}, {factor} is asked for when somebody signs in as {user}.",
        .undoPasskeyLead: "Since {time}, there is a passkey by which somebody can sign in as {user}.",
        .undoEffect:
            "If somebody else has done that, they know your password or have used your device. Removing it signs everybody "
            + "out, and you choose a new password.",
        .undoNote: "If it was you, there is nothing to do: close this page.",
        .undone: "It was removed, and everybody is signed out. Now choose a new password.",
        .linkDeadUndo:
            "It works once and for a day, and only as long as there is what it takes away. If somebody else has got into "
            + "your account, choose a new password, and see what is there.",
        .data: "Data and privacy",
        .dataSummary: "A copy of your data, and the end of your account",
        .dataOpen: "Data and privacy: Open",
        .open: "Open",
        .dataExport: "Your data",
        .dataExportLead:
            "Everything that we hold about you, as a file. We send a link to {address}; it works once and for a short time.",
        .dataExportButton: "Send me the link",
        .dataExportNoMailbox: "We send your data to your email address, once you have confirmed one.",
        .dataExportSent: "We have sent you a link. Please look into your mailbox.",
        .deleteAccount: "Delete your account",
        .deleteAccountLead: "We show you first what is deleted with it.",
        .deleteAccountAsk: "Go on to deletion",
        .deleteTitle: "Delete your account?",
        .deleteLead: "This is the account {user}.",
        .deleteButton: "Delete my account",
        .deleteWhat: "This is deleted with it:",
        .deleteProfile: "your profile, your addresses and whatever apps have stored of you here",
        .deleteSessions: "where you are signed in: {count}",
        .deleteProviders: "sign-in with {providers}",
        .deleteFactors: "second factors: {count}",
        .deleteApps: "what you have allowed apps to do",
        .deleteRemains: "What stays is a number that says nothing of you, and when the account was deleted.",
        .deleteGrace: "You can change your mind for {time}: sign in, and everything is as it was.",
        .deleteAtOnce: "That is at once, and can’t be taken back.",
        .deleted: "Your account is deleted",
        .deletedLead: "You are signed out everywhere, and what was held about you is gone.",
        .deletedDue: "Your account will be deleted",
        .deletedDueLead:
            "You are signed out everywhere. Should you change your mind, sign in within {time}: then everything stays as it "
            + "was.",
        .accountKept: "Welcome back: your account will not be deleted.",
        .oneDay: "1 day",
        .days: "{count} days",
        .oneHour: "1 hour",
        .hours: "{count} hours",
        .sessionsLead: "Sign out what you do not know or no longer use.",
        .sessionsMore: "Show more",
        .sessionsAll: "See all with details",
        .sessionSince: "Since {time}",
        .othersEnd: "Sign out everywhere else",
        .othersEnded: "You are signed out everywhere else.",
        .sessionFrom: "from {place}",
    ]
}
