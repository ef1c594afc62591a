// SPDX-License-Identifier: Apache-2.0

extension MailText {
    static let english: [MailKind: MailText] = [
        .confirmation: MailText(
            subject: "Confirm your email address for {{siteName}}", heading: "Confirm your email address",
            paragraphs: ["Welcome to {{siteName}}. Please confirm that {{email}} is your address."],
            button: "Confirm address", code: "Or enter this code:",
            footer: "If you did not sign up for {{siteName}}, you can ignore this mail: nothing will happen."),
        .recovery: MailText(
            subject: "Reset your {{siteName}} password", heading: "Reset your password",
            paragraphs: ["Somebody, hopefully you, asked to reset the password of {{email}}."],
            button: "Choose a new password", code: "Or enter this code:",
            footer: "If that was not you, you can ignore this mail: your password stays as it is."),
        .magicLink: MailText(
            subject: "Your sign-in link for {{siteName}}", heading: "Sign in to {{siteName}}",
            paragraphs: ["Follow the link to sign in as {{email}}."], button: "Sign in", code: "Or enter this code:",
            footer: "If you did not ask to sign in, you can ignore this mail. Never give the code to anybody."),
        .invite: MailText(
            subject: "You have been invited to {{siteName}}", heading: "You have been invited",
            paragraphs: ["You have been invited to join {{siteName}} as {{email}}."], button: "Accept the invitation",
            code: "Or enter this code:", footer: "If you do not know {{siteName}}, you can ignore this mail."),
        .emailChangeCurrent: MailText(
            subject: "Confirm the change of your {{siteName}} address", heading: "Change of address",
            paragraphs: [
                "Somebody, hopefully you, asked to change the address of your account from {{email}} to {{newEmail}}.",
                "The change takes effect once both addresses have confirmed it.",
            ], button: "Confirm the change", code: "Or enter this code:",
            footer: "If that was not you, do not confirm, and change your password."),
        .emailChangeNew: MailText(
            subject: "Confirm your new {{siteName}} address", heading: "Confirm your new address",
            paragraphs: ["Please confirm that {{newEmail}} is to be the address of your {{siteName}} account."],
            button: "Confirm address", code: "Or enter this code:",
            footer: "If you did not ask for this, you can ignore this mail: nothing will happen."),
        .reauthentication: MailText(
            subject: "Your {{siteName}} verification code", heading: "Confirm that it is you",
            paragraphs: ["Somebody, hopefully you, is about to change something important about your account."],
            button: nil, code: "Enter this code to go on:",
            footer: "If that was not you, change your password. Never give the code to anybody."),
        .temporaryPassword: MailText(
            subject: "Your {{siteName}} account", heading: "An account was made for you",
            paragraphs: [
                "You can now sign in to {{siteName}}{{#username}} as {{username}}{{/username}}.",
                "You will be asked to choose a password of your own.",
            ], button: nil, code: "Your temporary password:",
            footer: "If you do not know {{siteName}}, you can ignore this mail."),
        .accountExists: MailText(
            subject: "You already have a {{siteName}} account", heading: "You already have an account",
            paragraphs: [
                "Somebody, hopefully you, tried to sign up to {{siteName}} with {{email}}, which has an account already.",
                "Sign in with your password, or reset it if you have forgotten it.",
            ], button: nil, code: nil, footer: "If that was not you, you need not do anything."),
        .passwordChanged: MailText(
            subject: "Your {{siteName}} password was changed", heading: "Your password was changed",
            paragraphs: [
                "The password of {{email}} was changed just now. Every other device has been signed out."
            ], button: nil, code: nil,
            footer: "If that was not you, reset your password at once and contact {{siteName}}."),
        .emailChanged: MailText(
            subject: "Your {{siteName}} address was changed", heading: "Your address was changed",
            paragraphs: ["Your account's address was changed from {{email}} to {{newEmail}}."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .accountDeleted: MailText(
            subject: "Your {{siteName}} account was deleted", heading: "Your account was deleted",
            paragraphs: ["The account of {{email}} was deleted just now. Every device has been signed out."],
            button: nil, code: nil, footer: "If that was not you, contact {{siteName}} at once."),
        .deletionScheduled: MailText(
            subject: "Your {{siteName}} account will be deleted", heading: "Your account will be deleted",
            paragraphs: [
                "The account of {{email}} will be deleted with everything in it{{#time}} on {{time}}{{/time}}. Every device "
                    + "has been signed out.",
                "To keep it, sign in to {{siteName}} before then. You need do nothing else.",
            ], button: nil, code: nil,
            footer: "If that was not you, sign in, change your password and contact {{siteName}} at once."),
        .deletionCancelled: MailText(
            subject: "Your {{siteName}} account stays", heading: "Your account will not be deleted",
            paragraphs: ["Somebody, hopefully you, signed in as {{email}}. The account will not be deleted."],
            button: nil, code: nil,
            footer: "If that was not you, reset your password at once and contact {{siteName}}."),
        .newDevice: MailText(
            subject: "A new sign-in to your {{siteName}} account", heading: "A sign-in from a new device",
            paragraphs: [
                "Somebody, hopefully you, signed in as {{email}} from a device that was not used before.",
                "It was{{#time}} on {{time}}{{/time}}{{#network}}, from the network {{network}}{{/network}}"
                    + "{{#device}}, with {{device}}{{/device}}.",
            ], button: nil, code: nil,
            footer: "If that was not you, reset your password at once and contact {{siteName}}."),
        .phoneChanged: MailText(
            subject: "Your {{siteName}} phone number was changed", heading: "Your phone number was changed",
            paragraphs: ["The phone number of {{email}} was changed just now."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .emailRemoved: MailText(
            subject: "Your {{siteName}} address was removed", heading: "Your address was removed",
            paragraphs: ["The address {{email}} was removed from your account just now."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .phoneRemoved: MailText(
            subject: "Your {{siteName}} phone number was removed", heading: "Your phone number was removed",
            paragraphs: ["The phone number of {{email}} was removed just now."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .identityLinked: MailText(
            subject: "{{provider}} was linked to your {{siteName}} account",
            heading: "{{provider}} was linked to your account",
            paragraphs: ["Whoever signs in as you with {{provider}} gets into the account of {{email}} from now on."],
            button: nil, code: nil, footer: "If that was not you, contact {{siteName}} at once."),
        .identityUnlinked: MailText(
            subject: "{{provider}} was removed from your {{siteName}} account",
            heading: "{{provider}} was removed from your account",
            paragraphs: ["Nobody gets into the account of {{email}} with {{provider}} any more."], button: nil,
            code: nil, footer: "If that was not you, contact {{siteName}} at once."),
        .factorCode: MailText(
            subject: "Your {{siteName}} security code", heading: "Your security code",
            paragraphs: ["Somebody, hopefully you, is signing in as {{email}} and was asked for a second factor."],
            button: nil, code: "Enter this code to go on:",
            footer: "If that was not you, somebody knows your password: change it. Never give the code to anybody."),
        .factorAdded: MailText(
            subject: "A second factor was added to your {{siteName}} account", heading: "A second factor was added",
            paragraphs: ["From now on a second factor more is asked for when somebody signs in as {{email}}."],
            button: "That was not me", code: nil,
            footer:
                "{{#link}}If that was you, there is nothing to do. The link takes it away again, signs everybody out and leads "
                + "to a new password.{{/link}}{{^link}}If that was not you, contact {{siteName}} at once.{{/link}}"),
        .factorRemoved: MailText(
            subject: "A second factor was removed from your {{siteName}} account",
            heading: "A second factor was removed",
            paragraphs: ["A second factor of {{email}} was removed just now."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .passkeyAdded: MailText(
            subject: "A passkey was added to your {{siteName}} account", heading: "A passkey was added",
            paragraphs: ["From now on it can be used to sign in as {{email}}, without a password."],
            button: "That was not me", code: nil,
            footer:
                "{{#link}}If that was you, there is nothing to do. The link takes it away again, signs everybody out and leads "
                + "to a new password.{{/link}}{{^link}}If that was not you, contact {{siteName}} at once.{{/link}}"),
        .passkeyRemoved: MailText(
            subject: "A passkey was removed from your {{siteName}} account", heading: "A passkey was removed",
            paragraphs: ["A passkey of {{email}} was removed just now."], button: nil, code: nil,
            footer: "If that was not you, contact {{siteName}} at once."),
        .backupCodesMade: MailText(
            subject: "New backup codes for your {{siteName}} account", heading: "New backup codes were made",
            paragraphs: ["New backup codes were made for {{email}} just now. Those from before are void."],
            button: nil, code: nil, footer: "If that was not you, contact {{siteName}} at once."),
        .backupCodeUsed: MailText(
            subject: "A backup code of your {{siteName}} account was used", heading: "A backup code was used",
            paragraphs: ["One of the backup codes of {{email}} was used just now. It does not work again."],
            button: nil, code: nil, footer: "If that was not you, contact {{siteName}} at once."),
        .accountExport: MailText(
            subject: "Your data at {{siteName}}", heading: "Your data",
            paragraphs: [
                "You asked for everything that {{siteName}} holds about {{email}}. The link gives it as a file, once. "
                    + "Whoever has the file can read all of it."
            ], button: "Download your data", code: nil,
            footer: "If that was not you, do not open the link, change your password and contact {{siteName}} at once."),
        .factorLocked: MailText(
            subject: "Wrong security codes for your {{siteName}} account", heading: "Too many wrong security codes",
            paragraphs: [
                "Somebody who knows your password, or reads your messages, typed too many wrong security codes for "
                    + "{{email}}. For a while no such code is taken. A backup code is."
            ],
            button: nil, code: nil, footer: "If that was not you, change your password."),
        .accountLocked: MailText(
            subject: "Your {{siteName}} account was locked for a while", heading: "Your account was locked for a while",
            paragraphs: [
                "There were too many wrong passwords for {{email}}. For a while no password signs in. Devices that are "
                    + "signed in stay so.",
                "The last attempt{{#time}}: {{time}}{{/time}}{{#network}}, from the network {{network}}{{/network}}"
                    + "{{#device}}, with {{device}}{{/device}}.",
            ], button: "Unlock and choose a new password", code: nil,
            footer: "If that was not you, your password has held: the link lets you in at once, whatever others try."),
        .factorRecoveryBegun: MailText(
            subject: "Your second factors at {{siteName}} will be removed",
            heading: "Your second factors will be removed",
            paragraphs: [
                "Somebody who got past the first step of a sign-in as {{email}} says that they have lost the second factors"
                    + "{{#network}}, from the network {{network}}{{/network}}{{#device}}, with {{device}}{{/device}}.",
                "If that was you, wait. {{#time}}From {{time}} on{{/time}} signing in removes them, and you set up new ones.",
                "If it was not, stop it by the button, or sign in with a second factor. Then change your password.",
            ], button: "Keep my second factors", code: nil,
            footer: "If that was not you, somebody has your password or reads your messages: change it at once."),
        .factorRecoveryReady: MailText(
            subject: "Your second factors at {{siteName}}: the wait is over", heading: "The wait is over",
            paragraphs: [
                "The next sign-in as {{email}} removes the second factors{{#time}}, until {{time}}{{/time}}. The link of the "
                    + "first mail about it stops that, and so does signing in with one of them."
            ], button: nil, code: nil,
            footer: "If you have not asked for it, stop it now and change your password."),
        .factorRecoveryStopped: MailText(
            subject: "Your second factors at {{siteName}} stay", heading: "Your second factors stay",
            paragraphs: ["The second factors of {{email}} will not be removed. Somebody has stopped it."],
            button: nil, code: nil,
            footer: "If you have not asked for their removal either, change your password."),
        .factorRecoveryDone: MailText(
            subject: "Your second factors at {{siteName}} were removed", heading: "Your second factors were removed",
            paragraphs: [
                "The wait was over, and somebody, hopefully you, signed in as {{email}}. The second factors and backup codes "
                    + "are gone, and every other device has been signed out. Set up a new one."
            ], button: nil, code: nil,
            footer: "If that was not you, reset your password at once and contact {{siteName}}."),
    ]

    static let englishFrame = Frame(
        linkExpiry: "The link works once and for {{expiry}}.",
        codeExpiry: "The code works once and for {{codeExpiry}}.",
        plainLink: "If the button does not work, open this address:")
}
