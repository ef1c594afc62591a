// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import TestBench
import Testing

extension SignInWorld {
    /// What the user answers to the programs' one challenge.
    static let word = "sesame"

    /// Programs of the operator's that sign in whoever says the word.
    static func programs() throws -> Hooks {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            var event = received.object
            event["response"] = .object(Self.response(to: event))
            return HookReply(event)
        }
        let secret = try WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        let names = ["DefineAuthChallenge", "CreateAuthChallenge", "VerifyAuthChallengeResponse"]
        return Hooks(
            blocking: try names.map {
                BlockingHook(
                    name: $0, moment: try #require(CognitoHookForm.hooks[$0]), dialect: CognitoDialect.name,
                    directory: "default", secrets: [secret], caller: receiver)
            })
    }

    private static func response(to event: JSONObject) -> JSONObject {
        let request = event["request"]?.objectValue ?? [:]
        switch event["triggerSource"]?.stringValue {
        case "DefineAuthChallenge_Authentication":
            let answered = request["session"]?.arrayValue ?? []
            if answered.last?.objectValue?["challengeResult"] == .bool(true) { return ["issueTokens": true] }
            return answered.isEmpty ? ["challengeName": "CUSTOM_CHALLENGE"] : ["failAuthentication": true]
        case "CreateAuthChallenge_Authentication":
            return ["publicChallengeParameters": [:], "privateChallengeParameters": [:], "challengeMetadata": "WORD"]
        default: return ["answerCorrect": .bool(request["challengeAnswer"]?.stringValue == word)]
        }
    }
}
