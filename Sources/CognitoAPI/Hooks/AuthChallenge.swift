// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// The three triggers of custom challenges ("Custom authentication challenge Lambda triggers", developer guide).
enum AuthChallenge {
    static let name = "CUSTOM_CHALLENGE"
    /// What a sign-in begins with whose client is to prove the password.
    static let passwordBegun = "SRP_A"
    /// What it proves it by.
    static let password = "PASSWORD_VERIFIER"
    /// Characters of each map as JSON, and of a challenge's own name.
    private static let limits = (map: 1024, metadata: 128)

    static func session(_ answered: [CustomChallenge.Answered]) -> JSONValue {
        .array(
            answered.map {
                [
                    "challengeName": .string(name(of: $0.kind)), "challengeResult": .bool($0.isRight),
                    "challengeMetadata": $0.metadata.map { .string($0) } ?? .null,
                ]
            })
    }

    private static func name(of kind: CustomChallenge.Kind) -> String {
        switch kind {
        case .own(let name): name
        case .passwordBegun: passwordBegun
        case .password: password
        }
    }

    static let defined: JSONObject = ["challengeName": .null, "issueTokens": .null, "failAuthentication": .null]
    static let created: JSONObject = [
        "publicChallengeParameters": .null, "privateChallengeParameters": .null, "challengeMetadata": .null,
    ]
    static let verified: JSONObject = ["answerCorrect": .null]

    /// - Throws: ``AuthErrorCode/hookFailed``, also for another challenge of the service's own: those are asked in
    ///   flows of theirs.
    static func next(_ response: JSONObject) throws(AuthError) -> CustomChallenge.Next {
        if try flag("failAuthentication", in: response) == true { return .refusal }
        if try flag("issueTokens", in: response) == true { return .session }
        switch response["challengeName"] {
        case .string(name): return .challenge(name)
        case .string(password): return .password
        default: throw HookFailure.malformed.error("challengeName: \(name) or \(password) is expected")
        }
    }

    static func made(_ response: JSONObject) throws(AuthError) -> CustomChallenge.Made {
        var metadata: String?
        switch response["challengeMetadata"] {
        case nil, .null, .string(""): break
        case .string(let text) where text.utf8.count <= limits.metadata: metadata = text
        default: throw HookFailure.malformed.error("challengeMetadata: a text of up to \(limits.metadata) is expected")
        }
        return CustomChallenge.Made(
            shown: try map("publicChallengeParameters", in: response),
            kept: try map("privateChallengeParameters", in: response), metadata: metadata)
    }

    static func isRight(_ response: JSONObject) throws(AuthError) -> Bool {
        guard let isRight = try flag("answerCorrect", in: response) else {
            throw HookFailure.malformed.error("answerCorrect is missing")
        }
        return isRight
    }

    private static func flag(_ name: String, in response: JSONObject) throws(AuthError) -> Bool? {
        switch response[name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw HookFailure.malformed.error("\(name): expected true or false")
        }
    }

    private static func map(_ name: String, in response: JSONObject) throws(AuthError) -> JSONObject {
        switch response[name] {
        case nil, .null: return [:]
        case .object(let map):
            guard map.members.allSatisfy({ $0.value.stringValue != nil }) else {
                throw HookFailure.malformed.error("\(name): expected texts")
            }
            guard map.serialized().count <= limits.map else { throw HookFailure.tooLarge.error(name) }
            return map
        default: throw HookFailure.malformed.error("\(name): expected an object")
        }
    }
}
