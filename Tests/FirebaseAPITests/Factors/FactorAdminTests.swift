// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite("Second factors: the operator's side") struct FactorAdminTests {
    private func update(_ world: FactorWorld, _ factors: JSONObject) async throws -> FirebaseBench.Reply {
        try await world.bench.administer("/accounts:update", ["localId": .string(world.user), "mfa": .object(factors)])
    }

    @Test("R14.2 an operator's list is the user's factors: what it names stays, apps too, and the rest goes")
    func replaced() async throws {
        let world = try await FactorWorld()
        let app = try await world.app()
        let number: JSONObject = ["phoneInfo": .string(FactorWorld.number), "displayName": "work"]
        let kept: JSONObject = ["mfaEnrollmentId": app.id, "totpInfo": [:], "displayName": "renamed"]
        #expect(try await update(world, ["enrollments": [.object(kept), .object(number)]]).status == 200)
        var shown = try await world.enrolments()
        #expect(Set(shown.compactMap { $0["displayName"]?.stringValue }) == ["renamed", "work"])
        #expect(try await world.answer(app, try await world.pending())["idToken"] != nil)
        for (entry, code) in [
            (["totpInfo": [:]], "MFA_ENROLLMENT_NOT_FOUND"), ([:], "UNSUPPORTED_SECOND_FACTOR"),
            (["phoneInfo": "0123"], "INVALID_PHONE_NUMBER"), (["phoneInfo": "+15555550100", "enrolledAt": "x"], nil),
        ] as [(JSONObject, String?)] {
            let reply = try await update(world, ["enrollments": [.object(entry)]])
            #expect(reply.status == 400 && (code == nil || reply.code == code), "\(reply.text)")
        }
        #expect(
            try await update(world, ["enrollments": [.object(number), .object(number)]]).code == "SECOND_FACTOR_EXISTS")
        #expect(try await world.enrolments().count == 2)
        #expect(try await update(world, ["enrollments": [.object(number)]]).status == 200)
        shown = try await world.enrolments()
        #expect(shown.count == 1 && shown[0]["phoneInfo"]?.stringValue == FactorWorld.number)
        #expect(try await update(world, [:]).status == 200)
        #expect(try await world.enrolments().isEmpty)
        #expect(try await world.bench.signIn(FactorWorld.email)["idToken"] != nil)
    }

    @Test("R14.2 users are made and imported with numbers that are asked for, and apps are not imported")
    func brought() async throws {
        let world = try await FactorWorld()
        let bench = world.bench
        let made = try await bench.administer(
            "/accounts",
            [
                "email": "made@example.com", "emailVerified": true, "password": .string(FirebaseBench.password),
                "mfaInfo": [["phoneInfo": .string(FactorWorld.number), "displayName": "work"]],
            ])
        #expect(made.status == 200, "\(made.text)")
        #expect(try await bench.signIn("made@example.com")["mfaPendingCredential"] != nil)
        let factor: JSONValue = [
            "mfaEnrollmentId": "elsewhere", "phoneInfo": "+15555550100", "enrolledAt": "2020-01-02T03:04:05Z",
        ]
        let imported = try await bench.administer(
            "/accounts:batchCreate",
            [
                "users": [
                    ["localId": "a", "email": "a@example.com", "emailVerified": true, "mfaInfo": [factor]],
                    ["localId": "b", "email": "b@example.com", "mfaInfo": [factor]],
                    ["localId": "c", "mfaInfo": [factor]],
                    [
                        "localId": "d", "email": "d@example.com", "emailVerified": true,
                        "mfaInfo": [["mfaEnrollmentId": "x", "totpInfo": [:]]],
                    ],
                    ["localId": "e", "email": "e@example.com", "emailVerified": true, "mfaInfo": [[:]]],
                ]
            ])
        let faults = (imported["error"]?.arrayValue ?? []).compactMap { $0.objectValue?["message"]?.stringValue }
        #expect(
            faults == [
                "Second factor account requires email to be verified.",
                "Second factor account requires email to be presented.", "Importing TOTP MFA is not supported.",
                "Second factor not supported.",
            ], "\(imported.text)")
        let listed = try await bench.administer("/accounts:batchGet?maxResults=10", method: .get)
        let user = listed["users"]?.arrayValue?.compactMap(\.objectValue).first { $0["localId"] == "a" }
        let shown = user?["mfaInfo"]?.arrayValue?.first?.objectValue
        #expect(shown?["phoneInfo"] == "+15555550100" && shown?["enrolledAt"] == "2020-01-02T03:04:05.000Z")
        // Whose line says nothing of factors keeps theirs.
        let again = try await bench.administer(
            "/accounts:batchCreate",
            ["users": [["localId": "a", "email": "a@example.com", "emailVerified": true]], "allowOverwrite": true])
        #expect(again["error"] == nil, "\(again.text)")
        let after = try await bench.administer("/accounts:lookup", ["localId": ["a"]])
        #expect(after["users"]?.arrayValue?.first?.objectValue?["mfaInfo"]?.arrayValue?.count == 1, "\(after.text)")
    }

    @Test(
        "R10.5 a project's and a tenant's configuration say which factors are on, and what is read is written back without a loss"
    )
    func configured() async throws {
        let bench = try await FirebaseBench()
        func config(_ mfa: JSONValue, mask: String = "") async throws -> FirebaseBench.Reply {
            try await bench.administer("/config" + mask, ["mfa": mfa], method: .patch, version: "v2")
        }
        func totp(_ intervals: Int64) -> JSONValue {
            ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": .integer(intervals)]]
        }
        let before = try await bench.administer("/config", method: .get, version: "v2")
        #expect(before["mfa"] == ["state": "DISABLED", "providerConfigs": [totp(1)]], "\(before.text)")
        let on: JSONObject = ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]]
        let changed = try await config(.object(on), mask: "?updateMask=mfa.state,mfa.enabledProviders")
        #expect(changed["mfa"] == .object(on.merging(["providerConfigs": [totp(1)]])), "\(changed.text)")
        #expect(try await config(["providerConfigs": [totp(3)]])["mfa"]?.objectValue?["providerConfigs"] == [totp(3)])
        #expect(try await config(["providerConfigs": [totp(11)]]).code == "INVALID_ADJACENT_INTERVAL_RANGE")
        #expect(try await config(["state": "MANDATORY"]).code == "INVALID_CONFIG")
        let off = try await config(["state": "DISABLED", "providerConfigs": [["state": "DISABLED"]]])
        #expect(off["mfa"] == ["state": "DISABLED"], "\(off.text)")
        #expect(try await config(["state": "ENABLED", "enabledProviders": []]).code == "INVALID_CONFIG")
        // Those that there are go on being asked for.
        try await bench.change {
            $0.factors.totp = .verify; $0.factors.phone = .verify
        }
        let read = try await bench.administer("/config", method: .get, version: "v2")
        #expect(try await config(read["mfa"] ?? .null).status == 200)
        let kept = try await bench.ports.store.read { try $0.directory(bench.directory.id)?.settings.factors }
        #expect(kept?.totp == .verify && kept?.phone == .verify)
        let tenant = try await bench.administer(
            "/tenants", ["displayName": "Named", "mfaConfig": .object(on)], version: "v2")
        #expect(tenant["mfaConfig"]?.objectValue?["enabledProviders"] == ["PHONE_SMS"], "\(tenant.text)")
    }

    @Test("G-9.2 how many steps a clock may be wrong is a setting, and a code is good once in all of them")
    func drift() async throws {
        let world = try await FactorWorld { $0.factors.totpDrift = 3 }
        let app = try await world.app()
        world.bench.advance(.minutes(5))
        let early = app.code(at: world.bench.now, drift: -3)
        #expect(try await world.answer(app, try await world.pending(), code: early)["idToken"] != nil)
        #expect(try await world.answer(app, try await world.pending(), code: early).code == "INVALID_CODE")
        let late = app.code(at: world.bench.now, drift: 3)
        #expect(try await world.answer(app, try await world.pending(), code: late)["idToken"] != nil)
        world.bench.advance(.minutes(1))
        #expect(try await world.answer(app, try await world.pending(), code: late).code == "INVALID_CODE")
        let outside = app.code(at: world.bench.now, drift: -4)
        #expect(try await world.answer(app, try await world.pending(), code: outside).code == "INVALID_CODE")
    }
}
