// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// One request, and what is known when it is judged.
struct JudgedCase: Sendable, CustomTestStringConvertible {
    static let now = Instant(seconds: 1_800_000_000)
    static let ada = UserID("ada")
    static let bob = UserID("bob")
    static let scopes = ["openid", "email"]

    var prompts: Set<AuthorizationParameters.Prompt> = []
    /// How long ago Ada proved who she is, in seconds; the request is a minute old. `nil` where nobody is signed in.
    var age: Int64?
    var assurance = AssuranceLevel.aal1
    var maxAge: Int64?
    /// What Ada has agreed to before.
    var agreed: [String]?
    var policy = ClientAuthorization.Consent.remembered
    /// Who has agreed during the request.
    var answeredBy: UserID?
    var hint: UserID?
    var wished: [String] = []
    var demanded: [String]?
    var isChosen = false
    var isDenied = false
    var reachable = AssuranceLevel.aal1

    var testDescription: String {
        "\(prompts.map(\.rawValue).sorted()) age \(age ?? -1) \(assurance) max \(maxAge ?? -1) agreed \(agreed ?? ["-"])"
            + " \(policy) answered \(answeredBy?.rawValue ?? "-") hint \(hint?.rawValue ?? "-") wished \(wished)"
            + " demanded \(demanded ?? ["-"]) chosen \(isChosen) denied \(isDenied) reachable \(reachable)"
    }

    var isFresh: Bool { age.map { $0 <= 60 } ?? false }

    var verdict: AuthorizationJudgement.Verdict {
        let session = age.map { age in
            let at = Self.now - .seconds(age)
            return Session(
                id: SessionID("browser"), directoryID: DirectoryID("home"), userID: Self.ada, device: DeviceMetadata(),
                methods: [AuthenticationMethod(.password, at: at)], assurance: assurance, createdAt: at,
                lastActiveAt: at, notAfter: nil, family: RefreshTokenFamily(generation: 1, liveHash: [], steps: []))
        }
        var claims: JSONObject = [:]
        if let demanded {
            let values = JSONValue.array(demanded.map { .string($0) })
            claims["id_token"] = .object(["acr": .object(["essential": true, "values": values])])
        }
        var pending = PendingAuthorization(
            id: PendingAuthorizationID("p"), directoryID: DirectoryID("home"), clientID: ClientID("app"),
            request: AuthorizationRequest(
                clientID: ClientID("app"), scopes: Self.scopes, challenge: nil, claims: claims),
            parameters: AuthorizationParameters(
                prompts: prompts, maxAge: maxAge, hintedSubject: hint, acrValues: wished),
            browser: [1], createdAt: Self.now - .minutes(1), expiresAt: Self.now + .minutes(1))
        pending.isDenied = isDenied
        if isChosen { pending.chosenSession = SessionID("browser") }
        pending.consentedBy = answeredBy
        pending.consentedScopes = answeredBy == nil ? [] : ["openid"]
        let consent = agreed.map {
            Consent(
                directoryID: DirectoryID("home"), userID: Self.ada, clientID: ClientID("app"), scopes: $0,
                createdAt: Self.now, updatedAt: Self.now)
        }
        return AuthorizationJudgement(
            pending: pending, session: session, consent: age == nil ? nil : consent, policy: policy,
            reachable: reachable, now: Self.now
        ).verdict
    }

    /// Every request of a browser that was there before, over all that a verdict hangs on.
    static let all: [JudgedCase] = {
        let prompts: [Set<AuthorizationParameters.Prompt>] = [
            [], [.none], [.login], [.consent], [.selectAccount], [.create], [.login, .consent],
            [.login, .selectAccount, .consent],
        ]
        var cases: [JudgedCase] = []
        for prompts in prompts {
            for age: Int64? in [nil, 30, 3600] {
                for maxAge: Int64? in [nil, 0, 600, 7200] {
                    for agreed: [String]? in [nil, ["openid"], ["openid", "email", "more"]] {
                        for policy in ClientAuthorization.Consent.allCases {
                            for answeredBy in [nil, ada, bob] {
                                for hint in [nil, ada, bob] {
                                    for (wished, demanded) in [([], nil), (["aal2"], nil), ([], ["aal2"]), ([], ["x"])]
                                        as [([String], [String]?)]
                                    {
                                        cases.append(
                                            JudgedCase(
                                                prompts: prompts, age: age, maxAge: maxAge, agreed: agreed,
                                                policy: policy, answeredBy: answeredBy, hint: hint, wished: wished,
                                                demanded: demanded))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return cases
    }()
}

@Suite struct AuthorizationJudgementTests {
    typealias Verdict = AuthorizationJudgement.Verdict

    /// What a verdict is, without its words.
    private static func kind(_ verdict: Verdict) -> String {
        switch verdict {
        case .signIn(let again): again ? "sign in again" : "sign in"
        case .signUp: "sign up"
        case .chooseAccount: "choose"
        case .secondFactor: "second factor"
        case .terms: "terms"
        case .consent(let scopes): "consent " + scopes.joined(separator: " ")
        case .issue(let scopes): "issue " + scopes.joined(separator: " ")
        case .refuse(let code, _): code.rawValue
        }
    }

    static let agreed = ["openid", "email"]

    static let rows: [(JudgedCase, String)] = [
        // Nobody is signed in.
        (JudgedCase(), "sign in"),
        (JudgedCase(prompts: [.none]), "login_required"),
        (JudgedCase(prompts: [.login]), "sign in"),
        (JudgedCase(prompts: [.selectAccount]), "sign in"),
        (JudgedCase(prompts: [.create]), "sign up"),
        (JudgedCase(hint: JudgedCase.ada), "sign in"),
        // Single sign-on.
        (JudgedCase(age: 3600, agreed: agreed), "issue openid email"),
        (JudgedCase(prompts: [.none], age: 3600, agreed: agreed), "issue openid email"),
        (JudgedCase(age: 3600, policy: .notAsked), "issue openid email"),
        // Consent.
        (JudgedCase(age: 3600), "consent openid email"),
        (JudgedCase(age: 3600, agreed: ["openid"]), "consent email"),
        (JudgedCase(age: 3600, agreed: agreed, policy: .always), "consent openid email"),
        (JudgedCase(prompts: [.consent], age: 3600, agreed: agreed), "consent openid email"),
        (JudgedCase(prompts: [.consent], age: 3600, policy: .notAsked), "consent openid email"),
        (JudgedCase(prompts: [.none], age: 3600), "consent_required"),
        (JudgedCase(prompts: [.none], age: 3600, agreed: agreed, policy: .always), "consent_required"),
        (JudgedCase(prompts: [.consent], age: 3600, answeredBy: JudgedCase.ada), "issue openid"),
        (JudgedCase(age: 3600, answeredBy: JudgedCase.bob), "consent openid email"),
        (JudgedCase(age: 3600, agreed: agreed, isDenied: true), "access_denied"),
        (JudgedCase(isDenied: true), "access_denied"),
        // A fresh sign-in: C 3.1.2.1, prompt and max_age.
        (JudgedCase(prompts: [.login], age: 3600, agreed: agreed), "sign in again"),
        (JudgedCase(prompts: [.login], age: 30, agreed: agreed), "issue openid email"),
        (JudgedCase(age: 3600, maxAge: 600, agreed: agreed), "sign in again"),
        (JudgedCase(age: 3600, maxAge: 3600, agreed: agreed), "issue openid email"),
        (JudgedCase(age: 3600, maxAge: 7200, agreed: agreed), "issue openid email"),
        (JudgedCase(age: 61, maxAge: 0, agreed: agreed), "sign in again"),
        (JudgedCase(age: 30, maxAge: 0, agreed: agreed), "issue openid email"),
        (JudgedCase(age: 30, maxAge: 1, agreed: agreed), "issue openid email"),
        (JudgedCase(prompts: [.none], age: 3600, maxAge: 600, agreed: agreed), "login_required"),
        // A clock set back: what lies ahead is not fresh.
        (JudgedCase(prompts: [.login], age: -86400, agreed: agreed), "sign in again"),
        // Another user than the hint's.
        (JudgedCase(age: 3600, agreed: agreed, hint: JudgedCase.ada), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, hint: JudgedCase.bob), "sign in"),
        (JudgedCase(age: 30, agreed: agreed, hint: JudgedCase.bob), "login_required"),
        (JudgedCase(prompts: [.none], age: 3600, agreed: agreed, hint: JudgedCase.bob), "login_required"),
        // Choosing an account.
        (JudgedCase(prompts: [.selectAccount], age: 3600, agreed: agreed), "choose"),
        (JudgedCase(prompts: [.selectAccount], age: 3600, agreed: agreed, isChosen: true), "issue openid email"),
        (JudgedCase(prompts: [.selectAccount], age: 30, agreed: agreed), "issue openid email"),
        (JudgedCase(prompts: [.selectAccount, .login], age: 3600, agreed: agreed, isChosen: true), "sign in again"),
        // Signing up.
        (JudgedCase(prompts: [.create], age: 3600, agreed: agreed), "sign up"),
        (JudgedCase(prompts: [.create], age: 30, agreed: agreed), "issue openid email"),
        // Step-up (C 5.5.1.1, RFC 9470).
        (JudgedCase(age: 3600, agreed: agreed, wished: ["aal2"]), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, wished: ["unknown"]), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, wished: ["aal2"], reachable: .aal2), "second factor"),
        (JudgedCase(age: 30, agreed: agreed, wished: ["aal2"], reachable: .aal2), "second factor"),
        (JudgedCase(age: 30, agreed: agreed, wished: ["aal3"], reachable: .aal2), "issue openid email"),
        (
            JudgedCase(age: 3600, assurance: .aal2, agreed: agreed, wished: ["aal2"], reachable: .aal2),
            "issue openid email"
        ),
        (JudgedCase(age: 3600, maxAge: 600, agreed: agreed, wished: ["aal2"], reachable: .aal2), "sign in again"),
        (
            JudgedCase(prompts: [.none], age: 3600, agreed: agreed, wished: ["aal2"], reachable: .aal2),
            "issue openid email"
        ),
        (JudgedCase(age: 3600, agreed: agreed, demanded: ["aal1"]), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, demanded: ["aal2", "aal1"]), "issue openid email"),
        (JudgedCase(age: 3600, assurance: .aal2, agreed: agreed, demanded: ["aal1"]), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, demanded: []), "issue openid email"),
        (JudgedCase(age: 3600, agreed: agreed, demanded: ["aal2"]), "unmet_authentication_requirements"),
        (JudgedCase(age: 3600, agreed: agreed, demanded: ["unknown"]), "unmet_authentication_requirements"),
        (JudgedCase(age: 3600, agreed: agreed, demanded: ["aal2"], reachable: .aal2), "second factor"),
        (JudgedCase(age: 30, agreed: agreed, demanded: ["aal2"], reachable: .aal2), "second factor"),
        (
            JudgedCase(prompts: [.none], age: 3600, agreed: agreed, demanded: ["aal2"], reachable: .aal2),
            "unmet_authentication_requirements"
        ),
    ]

    @Test("R11.1 C 3.1.2 what follows a request, row by row")
    func table() {
        for (judged, wanted) in Self.rows {
            #expect(Self.kind(judged.verdict) == wanted, "\(judged.testDescription)")
        }
    }

    @Test("R11.1 C 3.1.2.1 prompt=none never leads to a page")
    func silent() {
        for judged in JudgedCase.all where judged.prompts.contains(.none) {
            switch judged.verdict {
            case .issue, .refuse: continue
            default: Issue.record("\(judged.testDescription)")
            }
        }
    }

    @Test("R11.1 a code is made for nobody who is not signed in, fresh enough, hinted at, sure enough and agreed")
    func issued() {
        var issued = 0
        for judged in JudgedCase.all {
            guard case .issue(let scopes) = judged.verdict else { continue }
            issued += 1
            let text = Comment(rawValue: judged.testDescription)
            #expect(judged.age != nil && judged.hint != JudgedCase.bob, text)
            #expect(judged.isFresh || judged.prompts.isDisjoint(with: [.login, .create]), text)
            #expect(judged.isFresh || judged.maxAge.map { $0 >= judged.age ?? 0 } ?? true, text)
            #expect(judged.isFresh || judged.isChosen || !judged.prompts.contains(.selectAccount), text)
            #expect(judged.demanded == nil, text)
            if judged.answeredBy == JudgedCase.ada {
                #expect(scopes == ["openid"], text)
            } else {
                #expect(!judged.prompts.contains(.consent) && judged.policy != .always, text)
                #expect(judged.policy == .notAsked || judged.agreed?.contains("email") == true, text)
            }
        }
        #expect(issued > 500)
    }

    @Test("R11.1 whatever a client asks, four pages lead to an answer at most, and none comes twice")
    func ends() {
        for (judged, reachable) in AssuranceLevel.reachable.flatMap({ level in JudgedCase.all.map { ($0, level) } }) {
            var judged = judged
            judged.reachable = reachable
            var pages: [String] = []
            walk: while pages.count < 6 {
                switch judged.verdict {
                case .issue, .refuse: break walk
                case .signIn: pages.append("sign in")
                case .signUp: pages.append("sign up")
                case .chooseAccount: pages.append("choose")
                case .secondFactor: pages.append("second factor")
                case .terms: pages.append("terms")
                case .consent: pages.append("consent")
                }
                switch pages.last {
                case "consent": judged.answeredBy = JudgedCase.ada
                case "choose": judged.isChosen = true
                case "second factor": judged.assurance = .aal2
                default: judged.age = 0
                }
            }
            #expect(pages.count <= 4 && Set(pages).count == pages.count, "\(pages) \(judged.testDescription)")
        }
    }
}
