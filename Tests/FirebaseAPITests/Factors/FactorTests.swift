// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite("Second factors") struct FactorTests {
    @Test(
        "G-9.2 G-9.4 an app is enrolled and asked for; the tokens name it, refreshes too; it goes, and is not asked for"
    )
    func walk() async throws {
        let world = try await FactorWorld()
        let bench = world.bench
        let token = try await world.token()
        let begun = try await world.call("mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(begun["totpSessionInfo"]?.objectValue, "\(begun.text)")
        #expect(info["verificationCodeLength"] == 6 && info["periodSec"] == 30 && info["hashingAlgorithm"] == "SHA1")
        #expect(info["finalizeEnrollmentTime"]?.stringValue == (bench.now + .minutes(15)).rfc3339Milliseconds)
        // What was begun is not asked for.
        #expect(try await world.enrolments().isEmpty)
        var app = try await world.begin(try await world.token())
        let enrolled = try await world.finish(app, token)
        #expect(enrolled.status == 200, "\(enrolled.text)")
        #expect(enrolled["totpAuthInfo"] == [:] && enrolled["expiresIn"] == nil && enrolled["refreshToken"] != nil)
        let shown = try await world.enrolments()
        #expect(shown.count == 1 && shown[0]["displayName"] == "phone" && shown[0]["totpInfo"] == [:])
        #expect(shown[0]["enrolledAt"]?.stringValue == bench.now.rfc3339Milliseconds)
        app.id = try #require(shown[0]["mfaEnrollmentId"])
        #expect(try FactorWorld.claims(enrolled)["second_factor_identifier"] == app.id)
        let seen = try await bench.call("lookup", ["idToken": enrolled["idToken"] ?? .null])
        #expect(seen["users"]?.arrayValue?.first?.objectValue?["mfaInfo"]?.arrayValue?.count == 1, "\(seen.text)")
        #expect(try await bench.mail(FactorWorld.email, kind: "factor_added").recipient == FactorWorld.email)

        bench.advance(.seconds(30))
        let asked = try await bench.signIn(FactorWorld.email)
        #expect(asked.status == 200 && asked["localId"]?.stringValue == world.user, "\(asked.text)")
        for name in ["idToken", "refreshToken", "expiresIn"] { #expect(asked[name] == nil, "\(name)") }
        #expect(asked["mfaInfo"]?.arrayValue?.first?.objectValue?["mfaEnrollmentId"] == app.id)
        let pending = try #require(asked["mfaPendingCredential"])
        #expect(try await world.answer(app, pending, code: world.wrong(app)).code == "INVALID_CODE")
        let signedIn = try await world.answer(app, pending)
        let claims = try FactorWorld.claims(signedIn)
        #expect(claims["sign_in_provider"] == "password" && claims["sign_in_second_factor"] == "totp")
        #expect(claims["second_factor_identifier"] == app.id)
        #expect(try await world.answer(app, pending).code == "INVALID_MFA_PENDING_CREDENTIAL")
        let refreshed = try await bench.refresh(signedIn["refreshToken"]?.stringValue ?? "")
        let later = try FirebaseBench.claims(refreshed["id_token"]?.stringValue)["firebase"]?.objectValue
        #expect(later?["sign_in_second_factor"] == "totp" && later?["second_factor_identifier"] == app.id)

        let withdrawn = try await world.call(
            "mfaEnrollment:withdraw", ["idToken": signedIn["idToken"] ?? .null, "mfaEnrollmentId": app.id])
        #expect(withdrawn.status == 200 && withdrawn["refreshToken"] != nil, "\(withdrawn.text)")
        let left = try FactorWorld.claims(withdrawn)
        #expect(left["sign_in_second_factor"] == nil && left["second_factor_identifier"] == nil)
        #expect(try await world.enrolments().isEmpty)
        #expect(try await bench.signIn(FactorWorld.email)["idToken"] != nil)
    }

    @Test("R14.2 G-9.6 an ID token from before a second factor was set up changes nothing more, and the new one does")
    func formerToken() async throws {
        let world = try await FactorWorld()
        let former = try await world.token()
        let app = try await world.begin(former)
        world.bench.advance(.seconds(2))
        let enrolled = try await world.finish(app, former)
        let token = try #require(enrolled["idToken"], "\(enrolled.text)")
        let factor = try #require(try await world.enrolments().first?["mfaEnrollmentId"])
        let holder: JSONObject = ["idToken": former, "returnSecureToken": true]
        for reply in [
            try await world.bench.call("update", holder.merging(["password": "Another-horse-8-battery"])),
            try await world.bench.call("delete", ["idToken": former]),
            try await world.call("mfaEnrollment:start", ["idToken": former, "totpEnrollmentInfo": [:]]),
            try await world.call("mfaEnrollment:withdraw", ["idToken": former, "mfaEnrollmentId": factor]),
        ] {
            #expect(reply.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(reply.text)")
        }
        #expect(try await world.enrolments().count == 1)
        let changed = try await world.bench.call(
            "update", ["idToken": token, "password": "Another-horse-8-battery", "returnSecureToken": true])
        #expect(changed.status == 200, "\(changed.text)")
    }

    @Test("G-9.2 R14.2 of 50 who show one code at once, by one sign-in or by five, one is let in")
    func raced() async throws {
        let world = try await FactorWorld()
        let app = try await world.app()
        for sharers in [1, 5] {
            world.bench.advance(.seconds(30))
            var sessions: [JSONValue] = []
            for _ in 0..<sharers { sessions.append(try await world.pending()) }
            let code = app.code(at: world.bench.now)
            let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<50 {
                    let pending = sessions[number % sharers]
                    group.addTask {
                        let reply = try await world.answer(app, pending, code: code)
                        return reply.code ?? (reply["idToken"] == nil ? reply.text : "in")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == "in" } == 1, "\(outcomes)")
            #expect(
                Set(outcomes).isSubset(of: ["in", "INVALID_CODE", "INVALID_MFA_PENDING_CREDENTIAL"]), "\(outcomes)")
        }
    }

    @Test("G-9.4 a number is enrolled by a code sent to it, and is asked for with its end alone shown")
    func phone() async throws {
        let world = try await FactorWorld()
        let bench = world.bench
        let token = try await world.token()
        let begun = try await world.call(
            "mfaEnrollment:start",
            [
                "idToken": token,
                "phoneEnrollmentInfo": ["phoneNumber": .string(FactorWorld.number), "recaptchaToken": "x"],
            ])
        let session = try #require(begun["phoneSessionInfo"]?.objectValue?["sessionInfo"], "\(begun.text)")
        func finish(_ code: String) async throws -> FirebaseBench.Reply {
            try await world.call(
                "mfaEnrollment:finalize",
                ["idToken": token, "phoneVerificationInfo": ["sessionInfo": session, "code": .string(code)]])
        }
        let code = try #require(try await bench.mail(FactorWorld.number, kind: "factor_code").code)
        #expect(try await finish(code == "000000" ? "111111" : "000000").code == "INVALID_CODE")
        let enrolled = try await finish(code)
        #expect(enrolled["phoneAuthInfo"] == ["phoneNumber": .string(FactorWorld.number)], "\(enrolled.text)")
        #expect(try FactorWorld.claims(enrolled)["sign_in_second_factor"] == "phone")
        #expect(try await world.enrolments().first?["phoneInfo"]?.stringValue == FactorWorld.number)
        #expect(try await finish(code).code == "INVALID_SESSION_INFO")
        let again = try await world.call(
            "mfaEnrollment:start",
            [
                "idToken": enrolled["idToken"] ?? .null,
                "phoneEnrollmentInfo": ["phoneNumber": .string(FactorWorld.number)],
            ])
        #expect(again.code == "SECOND_FACTOR_EXISTS", "\(again.text)")

        // So that the newest message is known by its time.
        bench.advance(.seconds(1))
        let asked = try await bench.signIn(FactorWorld.email)
        let hint = try #require(asked["mfaInfo"]?.arrayValue?.first?.objectValue, "\(asked.text)")
        #expect(hint["phoneInfo"] == "+*********5678" && !asked.text.contains(FactorWorld.number))
        let pending = try #require(asked["mfaPendingCredential"])
        let start: JSONObject = [
            "mfaPendingCredential": pending, "mfaEnrollmentId": hint["mfaEnrollmentId"] ?? .null,
            "phoneSignInInfo": ["recaptchaToken": "x"],
        ]
        let sent = try await world.call("mfaSignIn:start", start)
        let info = try #require(sent["phoneResponseInfo"]?.objectValue?["sessionInfo"], "\(sent.text)")
        let second = try #require(try await bench.mail(FactorWorld.number, kind: "factor_code").code)
        let proof: JSONObject = ["sessionInfo": info, "code": .string(second)]
        // What was sent in one sign-in is good in no other.
        let other = try await world.call(
            "mfaSignIn:finalize",
            ["mfaPendingCredential": try await world.pending(), "phoneVerificationInfo": .object(proof)])
        #expect(other.code == "INVALID_SESSION_INFO", "\(other.text)")
        let signedIn = try await world.call(
            "mfaSignIn:finalize", ["mfaPendingCredential": pending, "phoneVerificationInfo": .object(proof)])
        let claims = try FactorWorld.claims(signedIn)
        #expect(claims["sign_in_second_factor"] == "phone")
        #expect(claims["second_factor_identifier"] == hint["mfaEnrollmentId"])
    }

    @Test(
        "G-9.4 R14.2 a factor that another dialect set up is asked for, and one that the platform has no form for shuts out"
    )
    func elsewhere() async throws {
        let world = try await FactorWorld { $0.factors.email = .on }
        let bench = world.bench
        let holder = try #require(
            try await bench.ports.store.read {
                try $0.user(email: EmailAddress(FactorWorld.email), in: bench.directory.id)
            })
        func put(_ credential: Factor.Credential) async throws {
            let factor = Factor(
                id: bench.ports.random.identifier(), directoryID: bench.directory.id, userID: holder.id,
                credential: credential, verifiedAt: bench.now, createdAt: bench.now)
            try await bench.ports.store.write { try $0.insert(factor) }
        }
        try await put(.email(EmailAddress("second@example.com")))
        #expect(try await bench.signIn(FactorWorld.email).code == "UNSUPPORTED_FIRST_FACTOR")
        let secret = Secret([UInt8](repeating: 7, count: 20))
        try await put(.totp(secret))
        let asked = try await bench.signIn(FactorWorld.email)
        let hints = try #require(asked["mfaInfo"]?.arrayValue, "\(asked.text)")
        #expect(hints.count == 1 && hints[0].objectValue?["totpInfo"] == [:])
        let app = FactorWorld.App(
            session: .null, secret: secret, id: hints[0].objectValue?["mfaEnrollmentId"] ?? .null)
        #expect(try await world.answer(app, asked["mfaPendingCredential"] ?? .null)["idToken"] != nil)
        try await bench.change { $0.factors.totp = .off }
        #expect(try await bench.signIn(FactorWorld.email).code == "UNSUPPORTED_FIRST_FACTOR")
    }

    @Test("G-9.4 a mailed link and a provider's word are answered by the question too, a custom token is not")
    func otherWaysIn() async throws {
        let world = try await FactorWorld()
        let bench = world.bench
        let app = try await world.app()
        try await bench.addProvider()
        try bench.vouch("first")
        let provider = try await bench.signInWithProvider("first")
        #expect(provider["idToken"] == nil && provider["federatedId"] != nil, "\(provider.text)")
        let signedIn = try await world.answer(app, try #require(provider["mfaPendingCredential"], "\(provider.text)"))
        #expect(try FactorWorld.claims(signedIn)["sign_in_provider"] == "google.com")
        #expect(try FactorWorld.claims(signedIn)["sign_in_second_factor"] == "totp")

        bench.advance(.seconds(30))
        _ = try await bench.call(
            "sendOobCode",
            [
                "requestType": "EMAIL_SIGNIN", "email": .string(FactorWorld.email),
                "continueUrl": "https://app.example/x",
            ])
        let code = FirebaseBench.parameter(
            "oobCode", of: try await bench.mail(FactorWorld.email).link)
        let link = try await bench.call(
            "signInWithEmailLink", ["email": .string(FactorWorld.email), "oobCode": .string(code ?? "")])
        #expect(link["idToken"] == nil && link["isNewUser"] == nil, "\(link.text)")
        #expect(try await world.answer(app, link["mfaPendingCredential"] ?? .null)["idToken"] != nil)

        let account = try await ServiceAccountBench(bench)
        let custom = try await account.signIn(account.claims(.string(world.user)))
        let token = try #require(custom["idToken"], "\(custom.text)")
        // What it is not asked for, it may not take away.
        let refused = try await world.call("mfaEnrollment:withdraw", ["idToken": token, "mfaEnrollmentId": app.id])
        #expect(refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
        #expect(try await world.enrolments().count == 1)
    }
}
