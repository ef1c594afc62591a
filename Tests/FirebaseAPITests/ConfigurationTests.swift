// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct ConfigurationTests {
    private func patch(
        _ bench: FirebaseBench, _ body: JSONObject, mask: String? = nil, _ rest: String = "/config"
    ) async throws -> FirebaseBench.Reply {
        try await bench.administer(
            rest + (mask.map { "?updateMask=" + $0 } ?? ""), body, method: .patch, version: "v2")
    }

    private func settings(_ bench: FirebaseBench) async throws -> DirectorySettings {
        try await DirectoryAdministration(bench.ports).get(named: "default").settings
    }

    @Test("R10.5 a project's configuration is read and changed, and what it says governs")
    func project() async throws {
        let bench = try await FirebaseBench()
        let before = try await bench.administer("/config", method: .get, version: "v2")
        #expect(before["name"] == "projects/default/config", "\(before.text)")
        #expect(
            before["signIn"] == ["email": ["enabled": true], "phoneNumber": ["enabled": true]]
                && before["mfa"]?.objectValue?["state"] == "DISABLED")
        let changed = try await patch(
            bench,
            [
                "signIn": ["email": ["enabled": true, "passwordRequired": true], "anonymous": ["enabled": true]],
                "client": ["permissions": ["disabledUserSignup": true]],
            ])
        #expect(
            changed["signIn"] == [
                "email": ["enabled": true, "passwordRequired": true], "anonymous": ["enabled": true],
                "phoneNumber": ["enabled": true],
            ], "\(changed.text)")
        let set = try await settings(bench).signUp
        #expect(!set.emailLinkEnabled && set.anonymousEnabled && !set.enabled && set.emailEnabled)
        let refused = try await bench.call(
            "signUp", ["email": "new@example.com", "password": .string(FirebaseBench.password)])
        #expect(refused.code == "ADMIN_ONLY_OPERATION", "\(refused.text)")
    }

    @Test("R10.5 a mask says what is changed: the rest of the body is not, and what the body lacks has its default")
    func masks() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        let reply = try await patch(
            bench, ["signIn": ["email": ["enabled": false, "passwordRequired": true]]],
            mask: "sign_in.email.password_required,signIn.anonymous")
        #expect(reply.status == 200, "\(reply.text)")
        let set = try await settings(bench).signUp
        #expect(set.emailEnabled && !set.emailLinkEnabled && !set.anonymousEnabled)
    }

    @Test("R10.5 a mask that names a part of a policy, of factors or of a mail leaves the rest of it as it is")
    func parts() async throws {
        let bench = try await FirebaseBench {
            $0.password.minimumLength = 12
            $0.factors.phone = .on
            $0.factors.totp = .on
            $0.factors.totpDrift = 3
            $0.mail.subjects = ["recovery": "Old"]
            $0.mail.bodies = ["recovery": "{{link}} {{siteURL}}"]
        }
        let before = try await settings(bench)
        #expect(before.password.requiredCharacters.isEmpty == false)
        // Nothing that weakens: neither the rest of a policy nor a factor beside the one that is named.
        let policy = try await patch(
            bench, ["passwordPolicyConfig": ["forceUpgradeOnSignin": false]],
            mask: "passwordPolicyConfig.forceUpgradeOnSignin")
        #expect(policy.status == 200, "\(policy.text)")
        #expect(try await settings(bench).password == before.password)
        let shorter = try await patch(
            bench,
            [
                "password_policy_config": [
                    "password_policy_versions": [["customStrengthOptions": ["minPasswordLength": 10]]]
                ]
            ], mask: "password_policy_config.password_policy_versions")
        #expect(shorter.status == 200, "\(shorter.text)")
        #expect(try await settings(bench).password.minimumLength == 10)
        let factors = try await patch(
            bench, ["mfa": ["state": "DISABLED"]], mask: "mfa.providerConfigs")
        #expect(factors.status == 200, "\(factors.text)")
        let left = try await settings(bench).factors
        #expect(left.phone == .on && left.totp == .off && left.totpDrift == 3)
        let mail = try await patch(
            bench, ["notification": ["sendEmail": ["resetPasswordTemplate": ["subject": "New", "body": "No link"]]]],
            mask: "notification.sendEmail.resetPasswordTemplate.subject")
        #expect(mail.status == 200, "\(mail.text)")
        let words = try await settings(bench).mail
        #expect(words.subjects == ["recovery": "New"] && words.bodies == before.mail.bodies)
    }

    @Test("R10.5 what is not here is refused by its path, unless it is switched off, and nothing is changed then")
    func unsupported() async throws {
        let bench = try await FirebaseBench()
        let cases: [(JSONObject, String)] = [
            (["mfa": ["state": "ENABLED"]], "mfa.state"),
            (["signIn": ["allowDuplicateEmails": true]], "signIn.allowDuplicateEmails"),
            (
                ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": "https://x.example"]]]],
                "blockingFunctions.triggers.beforeCreate.functionUri"
            ),
            (["recaptchaConfig": ["emailPasswordEnforcementState": "ENFORCE"]], "recaptchaConfig"),
            (
                ["passwordPolicyConfig": ["passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": true]],
                "passwordPolicyConfig.forceUpgradeOnSignin"
            ),
        ]
        for (body, path) in cases {
            var body = body
            body["client"] = ["permissions": ["disabledUserSignup": true]]
            let reply = try await patch(bench, body)
            #expect(reply.code == "INVALID_CONFIG" && reply.text.contains(path), "\(reply.text)")
            #expect(try await settings(bench).signUp.enabled)
        }
        let off: JSONObject = [
            "mfa": ["state": "DISABLED"], "signIn": ["phoneNumber": ["enabled": false]],
            "recaptchaConfig": ["emailPasswordEnforcementState": "OFF"], "quota": [:],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
        ]
        #expect(try await patch(bench, off).status == 200)
        #expect(try await patch(bench, ["signIn": ["anonymous": ["enabled": "yes"]]]).status == 400)
    }

    @Test("R10.5 of changes of one configuration at once none undoes another")
    func concurrent() async throws {
        let bench = try await FirebaseBench()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let reply = try await patch(bench, ["signIn": ["anonymous": ["enabled": true]]])
                #expect(reply.status == 200, "\(reply.text)")
            }
            group.addTask {
                let reply = try await patch(bench, ["client": ["permissions": ["disabledUserSignup": true]]])
                #expect(reply.status == 200, "\(reply.text)")
            }
            for index in 0..<8 {
                group.addTask {
                    let reply = try await bench.administer(
                        "/oauthIdpConfigs?oauthIdpConfigId=oidc.p\(index)",
                        ["clientId": "c", "issuer": "https://issuer.example"], version: "v2")
                    #expect(reply.status == 200, "\(reply.text)")
                }
            }
            try await group.waitForAll()
        }
        let set = try await settings(bench).signUp
        #expect(set.anonymousEnabled && !set.enabled)
        let listed = try await bench.administer("/oauthIdpConfigs?pageSize=50", method: .get, version: "v2")
        #expect(listed["oauthIdpConfigs"]?.arrayValue?.count == 8, "\(listed.text)")
    }

    @Test("R10.5 the policy for passwords is the Directory's own, told to apps and set by operators")
    func passwordPolicy() async throws {
        let bench = try await FirebaseBench()
        func told() async throws -> JSONObject? {
            let reply = try await bench.send(.get, "\(FirebaseBench.toolkit)/v2/passwordPolicy?key=\(bench.key)")
            #expect(reply.status == 200 && reply["enforcementState"] == "ENFORCE", "\(reply.text)")
            return reply["customStrengthOptions"]?.objectValue
        }
        let before = try await told()
        #expect(before?["minPasswordLength"] == 8 && before?["containsUppercaseCharacter"] == true)
        #expect(before?["containsNonAlphanumericCharacter"] == false)
        let reply = try await patch(
            bench,
            [
                "passwordPolicyConfig": [
                    "passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": false,
                    "passwordPolicyVersions": [
                        [
                            "customStrengthOptions": [
                                "minPasswordLength": 12, "maxPasswordLength": 4096,
                                "containsNonAlphanumericCharacter": true,
                            ]
                        ]
                    ],
                ]
            ])
        #expect(reply.status == 200, "\(reply.text)")
        let after = try await told()
        #expect(after?["minPasswordLength"] == 12 && after?["containsUppercaseCharacter"] == false)
        #expect(after?["containsNonAlphanumericCharacter"] == true)
        for (password, isTaken) in [("quiet_lantern_orbit", true), ("quietlanternorbit", false), ("quiet_lant", false)]
        {
            let made = try await bench.administer(
                "/accounts", ["email": .string("\(password.utf8.count)@example.com"), "password": .string(password)])
            #expect((made.status == 200) == isTaken, "\(password): \(made.text)")
        }
        #expect(try await bench.send(.get, "\(FirebaseBench.toolkit)/v2/passwordPolicy").status == 403)
    }

    @Test("R10.5 authorized domains are the hosts that links may lead to; the site's own always is one")
    func domains() async throws {
        let bench = try await FirebaseBench { $0.siteURL = "https://site.example" }
        func told() async throws -> JSONValue? {
            let reply = try await bench.send(.get, "\(FirebaseBench.toolkit)/v1/projects?key=\(bench.key)")
            #expect(reply["projectId"] == "default", "\(reply.text)")
            return reply["authorizedDomains"]
        }
        #expect(try await told() == ["site.example", "app.example"])
        let reply = try await patch(bench, ["authorizedDomains": ["localhost", "new.example"]])
        #expect(reply["authorizedDomains"] == ["site.example", "localhost", "new.example"], "\(reply.text)")
        #expect(try await told() == ["site.example", "localhost", "new.example"])
        let policy = RedirectPolicy(try await settings(bench))
        for (url, isAllowed) in [
            ("https://new.example/a/b?c=d", true), ("https://new.example", true), ("http://localhost:5173/x", true),
            ("https://app.example/x", false), ("https://new.example.evil.example/", false),
            ("https://evil.example/new.example", false),
        ] {
            #expect(policy.allows(url) == isAllowed, "\(url)")
        }
        #expect(try await patch(bench, ["authorizedDomains": ["**"]]).code == "INVALID_CONFIG")
    }

    @Test("R10.5 a tenant may be without a name, and each of its members is kept or refused")
    func tenants() async throws {
        let bench = try await FirebaseBench()
        let made = try await bench.administer(
            "/tenants",
            [
                "allowPasswordSignup": true, "enableEmailLinkSignin": true,
                "testPhoneNumbers": ["+15555550100": "123456"], "mfaConfig": ["state": "DISABLED"],
            ], version: "v2")
        let name = try #require(made["name"]?.stringValue, "\(made.text)")
        #expect(made["displayName"] == nil && made["enableEmailLinkSignin"] == true)
        #expect(made["testPhoneNumbers"] == ["+15555550100": "123456"])
        let path = "/tenants/" + (name.split(separator: "/").last.map(String.init) ?? "")
        let patched = try await patch(
            bench, ["displayName": "Named", "enableEmailLinkSignin": false],
            mask: "displayName,enableEmailLinkSignin,testPhoneNumbers", path)
        #expect(patched["displayName"] == "Named" && patched["allowPasswordSignup"] == true, "\(patched.text)")
        #expect(patched["enableEmailLinkSignin"] == nil && patched["testPhoneNumbers"] == nil)
        for (body, code) in [
            (["mfaConfig": ["state": "MANDATORY"]], "INVALID_CONFIG"), (["disableAuth": true], "INVALID_CONFIG"),
            (["testPhoneNumbers": ["+15555550100": "12345"]], "INVALID_TESTING_PHONE_NUMBER"),
            (["testPhoneNumbers": ["5555550100": "123456"]], "INVALID_TESTING_PHONE_NUMBER"),
        ] as [(JSONObject, String)] {
            #expect(try await patch(bench, body, path).code == code)
            #expect(try await bench.administer("/tenants", body, version: "v2").code == code)
        }
    }

    @Test("R10.5 no reCAPTCHA is asked for, and strangers configure nothing")
    func edges() async throws {
        let bench = try await FirebaseBench()
        let asked = try await bench.send(.get, "\(FirebaseBench.toolkit)/v2/recaptchaConfig?key=\(bench.key)")
        #expect(asked.status == 200 && asked.text.contains("\"OFF\"") && !asked.text.contains("ENFORCE\""))
        let parameters = try await bench.send(.get, "\(FirebaseBench.toolkit)/v1/recaptchaParams?key=\(bench.key)")
        #expect(parameters["kind"] == "identitytoolkit#GetRecaptchaParamResponse")
        let narrow = try await APIKeyAdministration(bench.ports).create(
            .secret, name: "x", scopes: [APIKey.userScope], in: bench.directory, at: bench.now
        ).secret.reveal()
        for (token, status) in [(bench.key, 401), (narrow, 403), ("nobody", 401)] {
            for method in [HTTPRequest.Method.get, .patch] {
                let reply = try await bench.administer("/config", method: method, token: token, version: "v2")
                #expect(reply.status == status, "\(reply.text)")
            }
        }
    }

    @Test("R14.70 a project's own words for its mails are taken in the platform's form, shown in it, and sent")
    func mailTemplates() async throws {
        let bench = try await FirebaseBench()
        let template: JSONObject = [
            "subject": "%APP_NAME%: new password", "body": "<a href=\"%LINK%\">%EMAIL%</a> {{code}}",
            "bodyFormat": "HTML",
        ]
        let path = "notification.sendEmail.resetPasswordTemplate"
        func body(_ template: JSONObject) -> JSONObject {
            ["notification": ["sendEmail": ["resetPasswordTemplate": .object(template)]]]
        }
        let changed = try await patch(bench, body(template), mask: path)
        #expect(changed.status == 200, "\(changed.text)")
        let sent = changed["notification"]?.objectValue?["sendEmail"]?.objectValue?["resetPasswordTemplate"]?
            .objectValue
        #expect(sent?["subject"] == "%APP_NAME%: new password" && sent?["customized"] == true)
        let mail = try await settings(bench).mail
        #expect(mail.subjects == ["recovery": "{{siteName}}: new password"])
        #expect(mail.bodies == ["recovery": "<a href=\"{{link}}\">{{email}}</a> { {code}}"])
        for bad in [
            ["body": "<p>no link</p>"], ["body": "%LINK%", "bodyFormat": "PLAIN_TEXT"], ["senderLocalPart": "me"],
            ["subject": 1],
        ] as [JSONObject] {
            let refused = try await patch(bench, body(bad), mask: path)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await settings(bench).mail == mail)
        }
        _ = try await patch(bench, [:], mask: path)
        #expect(try await settings(bench).mail.bodies.isEmpty)
    }
}
