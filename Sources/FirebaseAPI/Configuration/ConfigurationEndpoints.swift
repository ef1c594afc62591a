// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// A project's configuration, for its operator and for its apps.
enum ConfigurationEndpoints {
    /// `GET /v2/projects/{project}/config`
    static func get(_ call: DialectCall) -> Response { answer(call.directory) }

    /// `PATCH /v2/projects/{project}/config?updateMask=`
    static func update(_ call: DialectCall) async throws -> Response {
        let (body, mask) = (call.body.object, call.query["updateMask"])
        let updated = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            try Configuration.project.apply(body, mask: mask, to: &$0)
        }
        call.dialect.directories.invalidate()
        return answer(updated)
    }

    private static func answer(_ directory: Directory) -> Response {
        var json: JSONObject = ["name": .string("projects/\(directory.projectID)/config")]
        for member in Configuration.project.json(of: directory).members { json[member.name] = member.value }
        json["subtype"] = "IDENTITY_PLATFORM"
        return Answer.object(json)
    }

    // MARK: For apps

    /// `GET /v1/projects`, and `getProjectConfig` in the API before. The platform's projects have a number beside their
    /// name, ours do not.
    static func projectConfig(_ call: DialectCall) -> Response {
        Answer.object([
            "projectId": .string(call.directory.projectID),
            "authorizedDomains": .array(Configuration.domains(of: call.directory.settings).map { .string($0) }),
        ])
    }

    /// `GET /v2/passwordPolicy`
    static func passwordPolicy(_ call: DialectCall) -> Response {
        Answer.object(PasswordPolicyConfiguration(call.directory.settings.password).publicJSON)
    }

    /// `GET /v2/recaptchaConfig`: nothing is protected by it here.
    static func recaptchaConfig(_: DialectCall) -> Response {
        Answer.object([
            "recaptchaEnforcementState": .array(
                ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map {
                    ["provider": .string($0), "enforcementState": "OFF"]
                })
        ])
    }

    /// `GET /v1/recaptchaParams`, and `getRecaptchaParam` in the API before: no site key.
    static func recaptchaParameters(_: DialectCall) -> Response { Answer.object(Kind.recaptcha.object) }
}
