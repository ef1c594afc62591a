// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension Configuration {
    /// `v2/projects/{project}/config`.
    static let project = Configuration(
        fields: [
            .flag("signIn.email.enabled", \.signUp.emailEnabled),
            .flag("signIn.email.passwordRequired", \.signUp.emailLinkEnabled, inverted: true),
            .flag("signIn.anonymous.enabled", \.signUp.anonymousEnabled),
            .flag("signIn.phoneNumber.enabled", \.signUp.phoneEnabled),
            testPhoneNumbers("signIn.phoneNumber.testPhoneNumbers"),
            .fixed("signIn.allowDuplicateEmails", false),
            authorizedDomains,
            .fixed("multiTenant.allowTenants", true),
            MultiFactorConfiguration.field("mfa"),
        ] + MailTemplateConfiguration.fields + common)

    /// `v2/projects/{project}/tenants/{tenant}`.
    static let tenant = Configuration(
        fields: [
            .flag("allowPasswordSignup", \.signUp.emailEnabled),
            .flag("enableEmailLinkSignin", \.signUp.emailLinkEnabled),
            .flag("enableAnonymousUser", \.signUp.anonymousEnabled),
            testPhoneNumbers("testPhoneNumbers"),
            MultiFactorConfiguration.field("mfaConfig"),
        ] + common)

    private static let common: [ConfigurationField] = [
        ConfigurationField(path: emailPrivacy) { settings in
            settings.signUp.concealsEmails ? true : nil
        } write: { value, settings in
            // What is left out of a whole configuration must not tell strangers who has an account.
            settings.signUp.concealsEmails = try ConfigurationField.read(value, emailPrivacy) ?? true
        },
        .flag("client.permissions.disabledUserSignup", \.signUp.enabled, inverted: true),
        ConfigurationField(path: "passwordPolicyConfig") { settings in
            .object(PasswordPolicyConfiguration(settings.password).json)
        } write: { value, settings in
            try PasswordPolicyConfiguration(value).apply(to: &settings.password)
        },
    ]

    private static let emailPrivacy = "emailPrivacyConfig.enableImprovedEmailPrivacy"

    // MARK: Numbers for tests

    /// Numbers that no message is sent to, and the codes that are right for them (`oneTime.testCodes`).
    private static func testPhoneNumbers(_ path: String) -> ConfigurationField {
        ConfigurationField(path: path) { settings in
            let codes = settings.oneTime.testCodes
            guard !codes.isEmpty else { return nil }
            var json = JSONObject()
            for (digits, code) in codes.sorted(by: { $0.key < $1.key }) { json["+" + digits] = .string(code) }
            return .object(json)
        } write: { value, settings in
            var given = JSONObject()
            switch value {
            case nil, .null: break
            case .object(let object): given = object
            default: throw WireError.unreadable("Invalid value at '\(path)' (TYPE_MESSAGE)")
            }
            guard given.members.count <= 10 else {
                throw WireError("INVALID_TESTING_PHONE_NUMBER", "At most 10 numbers may be given.")
            }
            var codes: [String: String] = [:]
            // A null is a number that a mask names and the body lacks.
            for member in given.members where !member.value.isNull {
                guard member.name.hasPrefix("+"), let number = try? PhoneNumber(member.name),
                    let code = member.value.stringValue, code.utf8.count == 6,
                    code.utf8.allSatisfy({ (48...57).contains($0) })
                else {
                    throw WireError("INVALID_TESTING_PHONE_NUMBER", "A number and a code of six digits are needed.")
                }
                codes[number.digits] = code
            }
            settings.oneTime.testCodes = codes
            // An end that another list had is not this one's.
            settings.oneTime.testCodesEnd = 0
        }
    }

    // MARK: Domains

    /// The hosts that links may lead to.
    static func domains(of settings: DirectorySettings) -> [String] {
        var found: [String] = []
        // As the platform has it from the start, and as links are allowed where no site is named.
        for text in [settings.siteURL ?? "http://localhost"] + settings.redirectAllowList {
            // An app's own scheme has no host, whatever stands in its place.
            guard text.hasPrefix("https://") || text.hasPrefix("http://"),
                let start = text.firstRange(of: "://")?.upperBound
            else { continue }
            let host = String(text[start...].prefix { !"/:?#".contains($0) })
            if !host.isEmpty, !host.contains("*"), !found.contains(host) { found.append(host) }
        }
        return found
    }

    /// The site's own host always is one of them. What else is on the Directory's list of places stays where its host
    /// does.
    private static let authorizedDomains = ConfigurationField(path: "authorizedDomains") { settings in
        .array(domains(of: settings).map { .string($0) })
    } write: { value, settings in
        guard case .array(let elements)? = value ?? .array([]), elements.count <= 500 else {
            throw WireError.unreadable("Invalid value at 'authorizedDomains' (TYPE_STRING)")
        }
        let wanted = elements.compactMap(\.stringValue)
        guard wanted.count == elements.count, wanted.allSatisfy(isDomain) else {
            throw WireError("INVALID_CONFIG", "authorizedDomains must be names of hosts.")
        }
        var probe = settings
        settings.redirectAllowList = settings.redirectAllowList.filter { pattern in
            probe.redirectAllowList = [pattern]
            let hosts = domains(of: probe).filter { !domains(of: site(settings)).contains($0) }
            return hosts.allSatisfy(wanted.contains)
        }
        let present = domains(of: settings)
        for domain in wanted where !present.contains(domain) {
            let isLocal = domain == "localhost" || domain == "127.0.0.1"
            settings.redirectAllowList +=
                isLocal
                ? ["http://\(domain)", "http://\(domain)/**"] : ["https://\(domain)", "https://\(domain)/**"]
        }
    }

    private static func site(_ settings: DirectorySettings) -> DirectorySettings {
        var site = settings
        site.redirectAllowList = []
        return site
    }

    private static func isDomain(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
    }
}
