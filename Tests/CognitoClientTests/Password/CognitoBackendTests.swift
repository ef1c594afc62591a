// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

struct CognitoBackendTests {
    func backend(_ configuration: CognitoConfiguration, _ transport: ScriptedTransport) -> CognitoBackend {
        CognitoBackend(configuration, transport: transport, clock: ManualClock(now: Recorded.date))
    }

    func backend(_ transport: ScriptedTransport) -> CognitoBackend { backend(Recorded.configuration, transport) }

    let password = SignInProof.password(identifier: "ada@example.org", password: Secret("hidden-1"))

    @Test("R13.3 C-2 A right password gives access, ID and refresh token, and whose they are")
    func password() async throws {
        let transport = Recorded.service { _, _ in Recorded.answer(Recorded.result()) }
        guard case .session(let grant) = try await backend(transport).signIn(password) else {
            Issue.record("no session")
            return
        }
        #expect(grant.tokens.accessToken.reveal() == "a.b.c" && grant.tokens.refreshToken?.reveal() == "refresh-1")
        #expect(grant.tokens.idToken != nil && grant.tokens.lifetime == .hours(1))
        #expect(grant.user?.subject == "5b1c" && grant.user?.email == "ada@example.org")
        #expect(grant.user?.provider == "COGNITO" && grant.serverDate == Recorded.date)
        let sent = try #require(await transport.requests.first)
        #expect(sent.url == "https://cognito-idp.eu-west-1.amazonaws.com/")
        #expect(
            await transport.inputs == [
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "client123",
                    "AuthParameters": ["PASSWORD": "hidden-1", "USERNAME": "ada@example.org"],
                ]
            ])
        for text in ["\(sent)", "\(grant)", "\(password)"] {
            #expect(!text.contains("hidden") && !text.contains("a.b.c"))
        }
    }

    @Test("R13.3 H-6 Y-US2 Tokens are renewed once the first of them is over: an identity pool is shown the ID token")
    func shorter() async throws {
        let expiry = JSONValue.integer(Recorded.date.seconds + 300)
        let transport = Recorded.service { _, _ in
            var answer = Recorded.result(["exp": expiry])
            answer["AuthenticationResult"] = (answer["AuthenticationResult"]?.objectValue).map { result in
                var result = result
                result["ExpiresIn"] = 86_400
                return .object(result)
            }
            return Recorded.answer(answer)
        }
        guard case .session(let grant) = try await backend(transport).signIn(password) else {
            throw AuthError(.unsupported)
        }
        #expect(grant.tokens.lifetime == .minutes(5))
        #expect(try await backend(transport).refresh(grant.tokens).tokens.lifetime == .minutes(5))
    }

    @Test("R13.3 C-1 Who is not confirmed is asked for the code, and then for the password anew")
    func unconfirmed() async throws {
        let transport = Recorded.service { operation, _ in
            switch operation {
            case "SignUp":
                Recorded.answer([
                    "UserConfirmed": false, "UserSub": "5b1c",
                    "CodeDeliveryDetails": [
                        "Destination": "a***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email",
                    ],
                ])
            case "InitiateAuth": Recorded.refusal("UserNotConfirmedException", "User is not confirmed.")
            default: Recorded.answer([:])
            }
        }
        let backend = backend(transport)
        let made = try await backend.signUp(
            SignUpRequest(identifier: "ada@example.org", password: Secret("hidden-1"), attributes: ["name": "Ada"]))
        guard case .awaiting(let step) = made, case .awaiting(let again) = try await backend.signIn(password) else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(step.kind == .confirmation && step.destination == "a***@e***" && again.kind == .confirmation)
        #expect(step.identifier == "ada@example.org")
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await backend.answer(step, with: .code(Secret("123456")))
        }
        let after = try await backend.confirmSignUp(identifier: "ada@example.org", code: Secret("123456"))
        if after != nil { Issue.record("confirming gave more than the service does") }
        #expect(await transport.inputs[0]["UserAttributes"] == [["Name": "name", "Value": "Ada"]])
        #expect(await transport.operations == ["SignUp", "InitiateAuth", "ConfirmSignUp", "ConfirmSignUp"])
    }

    @Test("R13.3 C-13 After sign-up, sign-in and every challenge nothing that is kept holds a password")
    func forgotten() async throws {
        let transport = Recorded.service { operation, input in
            switch operation {
            case "SignUp": Recorded.answer(["UserConfirmed": false])
            case "InitiateAuth":
                Recorded.answer([
                    "ChallengeName": "NEW_PASSWORD_REQUIRED", "Session": "session-session-session",
                    "ChallengeParameters": [
                        "USER_ID_FOR_SRP": "ada-name", "requiredAttributes": #"["userAttributes.name"]"#,
                        "userAttributes": #"{"email":"ada@example.org"}"#,
                    ],
                ])
            default: Recorded.answer(Recorded.result())
            }
        }
        let backend = backend(transport)
        let steps = [
            try await backend.signUp(SignUpRequest(identifier: "ada", password: Secret("hidden-1"))),
            try await backend.signIn(password),
        ]
        for step in steps {
            guard case .awaiting(let awaited) = step else {
                Issue.record("nothing is awaited")
                continue
            }
            #expect(!Retained.texts(of: awaited).contains { $0.contains("hidden") })
            #expect(!awaited.ticket.reveal().contains { "\($0)".contains("hidden") })
        }
        guard case .awaiting(let step) = steps[1] else { return }
        #expect(step.kind == .newPassword(requiredAttributes: ["name"]))
        let done = try await backend.answer(step, with: .newPassword(Secret("hidden-2"), attributes: ["name": "Ada"]))
        guard case .session(let grant) = done else {
            Issue.record("no session")
            return
        }
        #expect(!Retained.texts(of: grant).contains { $0.contains("hidden") })
        #expect(!grant.tokens.attachments.reveal().values.contains { $0.contains("hidden") })
        // The backend itself: everything that it refers to, but for the wire that the test wrote down.
        #expect(
            !Retained.texts(of: backend.configuration, backend.tokens, backend.clock).contains { $0.contains("hidden") }
        )
        #expect(
            await transport.inputs.last?["ChallengeResponses"] == [
                "NEW_PASSWORD": "hidden-2", "USERNAME": "ada-name", "userAttributes.name": "Ada",
            ])
    }

    @Test(
        "R13.3 G-9 A pool that leaves the user nothing to choose is not answered by a choice of nothing",
        arguments: [
            ("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": "[]"]), ("SELECT_MFA_TYPE", [:]),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["PALM_MFA"]"#]), ("SELECT_CHALLENGE", [:]),
        ] as [(String, JSONObject)])
    func nothingToChoose(challenge: String, parameters: JSONObject) async throws {
        let transport = Recorded.service { _, _ in
            Recorded.answer([
                "ChallengeName": .string(challenge), "Session": "session-session-session",
                "ChallengeParameters": .object(parameters),
            ])
        }
        let error = await #expect(throws: AuthError.self) { try await backend(transport).signIn(password) }
        #expect(error?.code == .unsupported && error?.reason?.contains(challenge) == true)
    }

    @Test(
        "R13.3 Second factors are asked for and answered by the service's names",
        arguments: [
            ("SMS_MFA", AwaitedStep.Kind.code, "SMS_MFA_CODE"), ("EMAIL_OTP", .code, "EMAIL_OTP_CODE"),
            ("SMS_OTP", .code, "SMS_OTP_CODE"), ("SOFTWARE_TOKEN_MFA", .oneTimePassword, "SOFTWARE_TOKEN_MFA_CODE"),
        ])
    func factors(challenge: String, kind: AwaitedStep.Kind, member: String) async throws {
        let transport = Recorded.service { operation, _ in
            operation == "InitiateAuth"
                ? Recorded.answer([
                    "ChallengeName": .string(challenge), "Session": "session-session-session",
                    "ChallengeParameters": [
                        "USER_ID_FOR_SRP": "ada-name", "CODE_DELIVERY_DESTINATION": "+*******9934",
                    ],
                ]) : Recorded.answer(Recorded.result())
        }
        let backend = backend(transport)
        guard case .awaiting(let step) = try await backend.signIn(password) else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(step.kind == kind && step.destination == "+*******9934")
        guard case .session = try await backend.answer(step, with: .code(Secret("123456"))) else {
            Issue.record("no session")
            return
        }
        let sent = try #require(await transport.inputs.last)
        #expect(sent["Session"] == "session-session-session" && sent["ChallengeName"] == .string(challenge))
        #expect(sent["ChallengeResponses"] == .object(["USERNAME": "ada-name", member: "123456"]))
        await #expect(throws: AuthError(.invalidRequest)) { try await backend.answer(step, with: .choice("x")) }
    }

    @Test("R13.3 Between factors the user chooses; what the app can't do is refused by its name")
    func choice() async throws {
        let transport = Recorded.service { operation, input in
            let chosen = input["ChallengeResponses"]?.objectValue?["ANSWER"] != nil
            return Recorded.answer([
                "ChallengeName": chosen ? "CUSTOM_CHALLENGE" : "SELECT_MFA_TYPE", "Session": "session-session-session",
                "ChallengeParameters": ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#],
            ])
        }
        let backend = backend(transport)
        guard case .awaiting(let step) = try await backend.signIn(password) else {
            Issue.record("nothing is awaited")
            return
        }
        #expect(step.kind == .choice(["SMS_MFA", "SOFTWARE_TOKEN_MFA"]))
        #expect(step.choices.map(\.kind) == [.phone, .authenticator])
        let error = await #expect(throws: AuthError.self) { try await backend.answer(step, with: .choice("SMS_MFA")) }
        #expect(error?.code == .unsupported && error?.reason?.contains("CUSTOM_CHALLENGE") == true)
    }

    @Test("R13.3 Y-FR4 A refresh keeps the refresh token where none comes, and takes the one that comes")
    func refresh() async throws {
        let rotating = Recorded.service { _, _ in
            Recorded.answer([
                "AuthenticationResult": ["AccessToken": "d.e.f", "RefreshToken": "refresh-2", "ExpiresIn": 300]
            ])
        }
        let grant = try await backend(rotating).refresh(Recorded.tokens())
        #expect(grant.tokens.accessToken.reveal() == "d.e.f" && grant.tokens.refreshToken?.reveal() == "refresh-2")
        #expect(grant.user == nil && grant.tokens.lifetime == .minutes(5))
        #expect(await rotating.operations == ["GetTokensFromRefreshToken"])
        let plain = Recorded.service { _, _ in
            Recorded.answer(["AuthenticationResult": ["AccessToken": "d.e.f", "ExpiresIn": 300]])
        }
        var configuration = Recorded.configuration
        configuration.refreshOperation = .initiateAuth
        let same = try await backend(configuration, plain).refresh(Recorded.tokens())
        #expect(same.tokens.refreshToken?.reveal() == "refresh-1")
        #expect(same.tokens.attachments.reveal() == ["username": "ada-name"])
        #expect(await plain.inputs.first?["AuthFlow"] == "REFRESH_TOKEN_AUTH")
    }

    @Test(
        "R13.3 F10 Nothing but a definite no of the service ends a session",
        arguments: [
            (
                500, #"{"__type":"NotAuthorizedException","message":"Refresh Token has expired"}"#,
                AuthErrorCode.unavailable
            ),
            (503, "", .unavailable), (429, "slow down", .rateLimited), (200, "<html>hotel</html>", .unavailable),
            (200, "{}", .unavailable), (302, "", .unavailable), (400, "", .unavailable), (403, "<html>", .unavailable),
            (400, #"{"__type":"TooManyRequestsException","message":"Rate exceeded"}"#, .rateLimited),
            (400, #"{"message":"no type"}"#, .unavailable), (400, #"{"__type":7}"#, .unavailable),
            (400, #"{"__type":"NotAuthorizedException","message":"Refresh Token has expired"}"#, .sessionExpired),
            (
                400, #"{"__type":"com.amazonaws.x#NotAuthorizedException","Message":"Refresh Token has expired"}"#,
                .sessionExpired
            ),
            (
                400, #"{"code":"NotAuthorizedException:http://x/","message":"Refresh Token has been revoked"}"#,
                .tokensRevoked
            ),
        ])
    func refused(status: Int, body: String, code: AuthErrorCode) async {
        let transport = ScriptedTransport { _, _ in HTTPResponse(status: status, body: Array(body.utf8)) }
        let error = await #expect(throws: AuthError.self) { try await backend(transport).refresh(Recorded.tokens()) }
        #expect(error?.code == code)
        #expect(error?.code.endsSession == [.sessionExpired, .tokensRevoked].contains(code))
    }

    @Test("R13.3 The exception's name may stand in the header alone")
    func header() async {
        let transport = ScriptedTransport { _, _ in
            HTTPResponse(
                status: 400,
                headers: [
                    HTTPHeader("x-amzn-ErrorType", "NotAuthorizedException:http://internal.amazon.com/coral/"),
                    HTTPHeader("x-amzn-ErrorMessage", "Refresh Token has expired"),
                ])
        }
        await #expect(throws: AuthError(.sessionExpired)) { try await backend(transport).refresh(Recorded.tokens()) }
    }

    @Test(
        "R13.3 Y-E1 F10 Without an answer nothing is known",
        arguments: [TransportError.offline, .timedOut, .interrupted])
    func offline(error: TransportError) async {
        let transport = Recorded.service { _, _ throws(TransportError) in throw error }
        await #expect(throws: AuthError(.network)) { try await backend(transport).signIn(password) }
        await #expect(throws: AuthError(.network)) { try await backend(transport).refresh(Recorded.tokens()) }
    }

    @Test("R13.3 A token for another app, of another pool or another kind is nobody's sign-in")
    func foreign() async {
        let foreign: [JSONObject] = [
            ["aud": "other"], ["iss": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Other"],
            ["token_use": "access"], ["exp": 1_785_000_000], ["sub": ""],
        ]
        for claims in foreign {
            let transport = Recorded.service { _, _ in Recorded.answer(Recorded.result(claims)) }
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await backend(transport).signIn(password) }
        }
    }

    @Test("R13.3 C-8 A new refresh token is kept, though the ID token beside it can't be taken")
    func rotatedBesideBadIDToken() async throws {
        let former = Recorded.tokens()
        for claims in [["aud": "other"], ["token_use": "access"], ["exp": 1_785_000_000]] as [JSONObject] {
            let transport = Recorded.service { _, _ in
                var tokens = Recorded.result(claims)["AuthenticationResult"]?.objectValue ?? [:]
                tokens["RefreshToken"] = "refresh-2"
                return Recorded.answer(["AuthenticationResult": .object(tokens)])
            }
            let grant = try await backend(transport).refresh(former)
            #expect(grant.tokens.refreshToken?.reveal() == "refresh-2" && grant.user == nil)
            #expect(grant.tokens.idToken?.reveal() == former.idToken?.reveal())
        }
    }

    @Test("R13.3 One session is ended by its refresh token, all by an access token that is made live first")
    func revoke() async throws {
        let transport = Recorded.service { operation, input in
            if operation == "GlobalSignOut", input["AccessToken"] == "a.b.c" {
                return Recorded.refusal("NotAuthorizedException", "Access Token has expired")
            }
            return Recorded.answer(
                operation == "GetTokensFromRefreshToken"
                    ? ["AuthenticationResult": ["AccessToken": "d.e.f", "ExpiresIn": 300]] : [:])
        }
        let backend = backend(transport)
        try await backend.revoke(Recorded.tokens(), scope: .local)
        try await backend.revoke(Recorded.tokens(), scope: .global)
        #expect(
            await transport.operations == [
                "RevokeToken", "GlobalSignOut", "GetTokensFromRefreshToken", "GlobalSignOut",
            ])
        await #expect(throws: AuthError(.unsupported)) { try await backend.revoke(Recorded.tokens(), scope: .others) }
    }

    @Test("R13.3 Y-US3 The user is who the service says now")
    func user() async throws {
        let transport = Recorded.service { _, _ in
            Recorded.answer([
                "Username": "ada-name",
                "UserAttributes": [
                    ["Name": "sub", "Value": "5b1c"], ["Name": "email", "Value": "ada@example.org"],
                    ["Name": "email_verified", "Value": "true"], ["Name": "picture", "Value": "https://p.example/1"],
                    ["Name": "identities", "Value": #"[{"providerName":"Google"}]"#],
                ],
            ])
        }
        let user = try await backend(transport).user(Recorded.tokens())
        #expect(user.subject == "5b1c" && user.emailVerified == true && user.picture == "https://p.example/1")
        #expect(user.provider == "Google")
    }

    @Test("R13.3 G-3.6 Recovery and resending tell nobody whether there is such an account")
    func silent() async throws {
        for refusal in [
            Recorded.refusal("UserNotFoundException", "Username/client id combination not found."),
            Recorded.refusal(
                "InvalidParameterException",
                "Cannot reset password for the user as there is no registered/verified email or phone_number"),
        ] {
            try await backend(Recorded.service { _, _ in refusal }).beginRecovery(identifier: "nobody")
        }
        let confirmed = Recorded.service { _, _ in
            Recorded.refusal("InvalidParameterException", "User is already confirmed.")
        }
        try await backend(confirmed).resendConfirmation(to: "ada")
        let limited = Recorded.service { _, _ in
            Recorded.refusal("LimitExceededException", "Attempt limit exceeded, please try after some time.")
        }
        await #expect(throws: AuthError(.rateLimited)) { try await backend(limited).beginRecovery(identifier: "ada") }
    }

    @Test("R13.3 The account's own operations say what the service says")
    func account() async throws {
        let transport = Recorded.service { operation, _ in
            operation == "ChangePassword"
                ? Recorded.refusal("NotAuthorizedException", "Incorrect username or password.") : Recorded.answer([:])
        }
        let backend = backend(transport)
        await #expect(throws: AuthError(.currentPasswordInvalid)) {
            try await backend.changePassword(Recorded.tokens(), current: Secret("a"), new: Secret("b"))
        }
        _ = try await backend.finishRecovery(identifier: "ada", proof: Secret("123456"), newPassword: Secret("b"))
        try await backend.deleteAccount(Recorded.tokens())
        #expect(await transport.operations == ["ChangePassword", "ConfirmForgotPassword", "DeleteUser"])
        await #expect(throws: AuthError(.unsupported)) { try await backend.link(password, to: Recorded.tokens()) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.signIn(.anonymous) }
    }

    @Test("R13.3 Who shows anew who they are signs in, and the answer says who it was")
    func reauthenticate() async throws {
        let transport = Recorded.service { _, _ in Recorded.answer(Recorded.result()) }
        let step = try await backend(transport).reauthenticate(Recorded.tokens(), with: password)
        guard case .session(let grant) = step else { throw AuthError(.unsupported) }
        #expect(grant.user?.subject == "5b1c")
        #expect(await transport.operations == ["InitiateAuth"])
    }
}

/// Every text that a value holds, as far as it can be looked into.
enum Retained {
    static func texts(of values: Any...) -> [String] {
        values.flatMap { value -> [String] in
            var found = ["\(value)"]
            for child in Mirror(reflecting: value).children { found += texts(of: child.value) }
            return found
        }
    }
}
