// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Testing

@testable import AccountModel

@Suite("The table of a Directory's settings") struct DirectorySettingsTableTests {
    private typealias Table = DirectorySettings.Table

    /// What the defaults are stored as. Rows that were written before must go on being read.
    private static let stored = """
        {"adminRoles":["service_role"],"deletion":{"grace":0,"reauthentication":"dialect"},\
        "deletionGraceDays":30,\
        "devices":{"rememberUnasked":true,"spareFactor":false,"tracked":false},\
        "factors":{"attempts":3,"backupCodes":"on","challengeLifetime":300,"demand":"own","demandedGroups":[],\
        "email":"off","enrolmentLifetime":900,"enrolmentNeedsReauthentication":true,"lockSeconds":300,"maximum":10,"phone":"off","recoveryExcludedGroups":["admin"],"recoveryWait":0,"recoveryWindow":259200,"totp":"on",\
        "totpDrift":1,"webAuthn":"off"},\
        "federation":{"customProviderLimit":0,"customProviders":true,"flowLifetime":300,"manualLinking":false},\
        "limits":{"anonymous":{"count":30,"seconds":3600},"clientRegistration":{"count":10,"seconds":300},\
        "mailSent":{"count":360,"seconds":3600},\
        "messagesPerRecipient":{"count":6,"seconds":3600},\
        "messagesSent":{"count":30,"seconds":3600},\
        "oneTimeToken":{"count":30,"seconds":300},\
        "providerEvents":{"count":600,"seconds":300},\
        "signIn":{"count":60,"seconds":300},\
        "signInPerAccount":{"count":100,"seconds":3600},\
        "signInPerIdentifier":{"count":20,"seconds":900},\
        "signUp":{"count":30,"seconds":300},\
        "tokenRefresh":{"count":150,"seconds":300},\
        "verify":{"count":30,"seconds":300}},\
        "lockout":{"attempts":5,"disclosure":"generic","duration":900,"window":900},\
        "mail":{"appLinks":{},"bodies":{},\
        "paths":{},\
        "siteName":"Latchkey","subjects":{},"texts":{}},\
        "metadataLimit":65536,"oauthServer":{"authorizationLifetime":600,"authorizationPath":"",\
        "defaultScope":"email","dynamicRegistration":false,"enabled":false},\
        "oneTime":{"addressChangeNeedsReauthentication":true,\
        "authorizationCodeLifetime":300,"codeLength":6,"confirmationLifetime":86400,\
        "invitationLifetime":604800,"linkConfirms":"page","maximumAttempts":5,"recoveryLifetime":3600,\
        "secureEmailChange":true,"testCodes":{},"testCodesEnd":0},\
        "pages":{"texts":{}},\
        "passkeys":{"attestation":"none","attestationRoots":[],"challengeLifetime":300,"counters":"refuse","enabled":false,"maximum":10,\
        "models":[],"origins":[],"userVerification":"preferred"},\
        "password":{"blocklist":true,"changeNeedsCurrentPassword":false,"changeNeedsReauthentication":true,\
        "minimumLength":8,"requiredCharacters":["abcdefghijklmnopqrstuvwxyz","ABCDEFGHIJKLMNOPQRSTUVWXYZ",\
        "0123456789"],"srpEnabled":false,"temporaryLifetimeDays":7},\
        "redirectAllowList":[],"rsaKeyBits":2048,"sessions":{"accessTokenLifetime":3600,\
        "inactivityTimeout":2592000,"newDeviceMail":false,"requiresProofNonces":false,"reuseInterval":10,"rotationEnabled":true,\
        "singlePerUser":false,"timebox":7776000},\
        "signUp":{"anonymousEnabled":false,"caseSensitiveNames":false,"concealsEmails":true,"emailAutoConfirm":false,\
        "emailEnabled":true,"emailLinkEnabled":true,"enabled":true,"phoneAutoConfirm":false,"phoneEnabled":true,\
        "uniqueEmails":true,"uniquePhones":true,"unverifiedSignIn":"dialect"}}
        """

    @Test("R9.11 the defaults are stored as they always were")
    func form() throws {
        #expect(JSONValue.object(DirectorySettings().json).text == Self.stored)
    }

    @Test("R9.11 no setting is without its row, and none has two")
    func complete() {
        let rows = DirectorySettings.table.map(\.path)
        #expect(Set(rows) == Set(Self.properties(of: DirectorySettings())))
        #expect(Set(rows).count == rows.count)
        let keys = DirectorySettings.table.compactMap(\.key)
        #expect(Set(keys).count == keys.count)
        for setting in DirectorySettings.table {
            #expect(!setting.summary.isEmpty, "\(setting.path)")
            #expect(setting.key?.hasPrefix("directory.") != false, "\(setting.path)")
        }
    }

    @Test(
        "R9.11 each setting is stored at its place alone, and read back", arguments: DirectorySettings.table.map(\.path)
    )
    func roundTrip(path: String) throws {
        let setting = try #require(DirectorySettings.setting(path))
        let defaults = DirectorySettings()
        for value in Self.others(of: setting) {
            var settings = defaults
            try setting.set(value, in: &settings)
            #expect(setting.value(in: settings) == value)
            let changed = DirectorySettings.table.filter { $0.value(in: settings) != $0.value(in: defaults) }
            #expect(changed.map(\.path) == [path])
            let text = JSONValue.object(settings.json).text
            #expect(try DirectorySettings(stored: JSONObject(parsing: text.utf8)) == settings)
        }
    }

    @Test(
        "R9.11 a value of another type or out of its range is refused by name, in the words of the range, and not repeated",
        arguments: DirectorySettings.table.map(\.path))
    func refusals(path: String) throws {
        let setting = try #require(DirectorySettings.setting(path))
        for value in Self.bad(setting.form) {
            var settings = DirectorySettings()
            let error = #expect(throws: AuthError(.invalidRequest)) { try setting.set(value, in: &settings) }
            #expect(error?.field == setting.name)
            // Words of pages are many in one value: which of them it is about is said first.
            let reason = setting.form == .wording ? error?.reason?.components(separatedBy: "; ").last : error?.reason
            #expect(reason == "expected " + setting.form.description)
            #expect(settings == DirectorySettings())
        }
    }

    @Test("R9.11 a setting that is younger than its row has its default, and one that is none any more is passed over")
    func versions() throws {
        let settings = try DirectorySettings(stored: ["siteURL": "https://a.example", "faxes": ["enabled": true]])
        var wanted = DirectorySettings()
        wanted.siteURL = "https://a.example"
        #expect(settings == wanted)
        #expect(throws: AuthError(.invalidRequest)) { try DirectorySettings(stored: ["siteURL": 1]) }
    }

    @Test("R9.11 what was stored is read, also where it is out of a range that is younger than it")
    func outOfRange() throws {
        let settings = try DirectorySettings(stored: ["password": ["minimumLength": 1000]])
        #expect(settings.password.minimumLength == 1000)
    }

    @Test("R9.11 changes are laid over what there is at every depth, all or none of them")
    func changes() throws {
        var settings = DirectorySettings()
        try settings.apply([
            "limits": ["signIn": ["count": 7]], "title": "Shop", "mail": ["subjects": ["invite": "Hi"]],
        ])
        #expect(settings.limits.signIn == .init(count: 7, seconds: 300))
        #expect(settings.title == "Shop" && settings.mail.subjects == ["invite": "Hi"])
        try settings.apply(["title": nil])
        #expect(settings.title == nil)
        let before = settings
        for (changes, field) in [
            (["signUp": ["enabled": false, "fax": true]], "signUp.fax"),
            (["siteURL": "https://b.example", "x": 1], "x"),
            (["password": ["minimumLength": 5]], "directory.password.minimumLength"), (["mail": 1], "mail"),
        ] as [(JSONObject, String)] {
            let error = #expect(throws: AuthError(.invalidRequest)) { try settings.apply(changes) }
            #expect(error?.field == field)
            #expect(settings == before)
        }
    }

    // MARK: Parts

    /// The stored properties, at every depth, as paths.
    private static func properties(of value: Any, below parent: String = "") -> [String] {
        Mirror(reflecting: value).children.flatMap { child -> [String] in
            let path = parent + (child.label ?? "")
            let mirror = Mirror(reflecting: child.value)
            return mirror.displayStyle == .struct && !(child.value is String)
                ? properties(of: child.value, below: path + ".") : [path]
        }
    }

    /// Values of the form other than the default, at the ends of the range where there is one.
    private static func others(of setting: Setting<DirectorySettings>) -> [JSONValue] {
        let candidates: [JSONValue] =
            switch setting.form {
            case .flag: [true, false]
            case .whole(let range): [.integer(range.lowerBound), .integer(range.upperBound)]
            case .size(let sizes): sizes.map { .integer($0) }
            case .choice(let words): words.map { .string($0) }
            case .text, .secret: ["another / \"text\""]
            case .list, .hosts: [["one", "two"]]
            case .texts: [["invite": "one"]]
            case .wording: [["signIn.title.en": "one", "footer.de": "two"]]
            case .colour(.accent): ["#8a1c7c", "#000000"]
            case .colour(.accentDark): ["#FFB000"]
            case .colour(.background): ["#ffffff"]
            case .colour(.backgroundDark): ["#000000"]
            case .link: ["https://acme.example/privacy?a=b#c", "mailto:help@acme.example"]
            case .image: ["data:image/png;base64,iVBORw0KGgo=", "data:image/svg+xml;base64,PHN2Zy8+"]
            }
        return candidates.filter { $0 != setting.value(in: DirectorySettings()) }
    }

    private static func bad(_ form: SettingForm) -> [JSONValue] {
        let long = JSONValue.string(String(repeating: "x", count: (1 << 20) + 1))
        switch form {
        case .flag: return ["true", 1]
        case .whole(let range):
            return ["8", true, .number(8.5)] + (range.lowerBound == .min ? [] : [.integer(range.lowerBound - 1)])
                + [.integer(range.upperBound + 1), .integer(.max), .integer(.min)]
        case .size: return [1024, 2049, "2048"]
        case .choice: return ["neither", 1]
        case .text, .secret: return [1, long]
        case .list: return ["one", [1], .array(Array(repeating: "x", count: SettingForm.listLimit + 1)), [long]]
        case .hosts: return ["one", [1], ["one:80"], ["https://one"], [""]]
        case .texts: return ["one", ["invite": 1], ["invite": long]]
        case .wording: return ["one", ["signIn.title.en": 1], ["signIn.title.en": long], ["invite": "one"]]
        // The last of each is a colour that nobody could read there.
        case .colour(.accent), .colour(.backgroundDark): return [1, "red", "#fff", "#12345g", "#777777"]
        case .colour(.accentDark), .colour(.background): return [1, "#1234567", "", "#6a6a6a"]
        case .link:
            return [
                1, long, "", "https://", "javascript:alert(1)", "data:text/html,x", "//acme.example", "/privacy",
                "https://acme.example/a b", "https://acme.example/\u{7}",
            ]
        case .image:
            return [
                1, long, "", "https://acme.example/logo.png", "data:text/html;base64,PGI+", "data:image/png;base64,",
                "data:image/png,x", "data:image/png;base64,\"><b>", "data:image/svg+xml;base64,a,b",
            ]
        }
    }
}
