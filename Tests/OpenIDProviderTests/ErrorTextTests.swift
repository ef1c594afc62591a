// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

@Suite("What people are told of OAuth's errors") struct ErrorTextTests {
    private func body(_ error: OAuthError, in language: MessageLanguage) -> JSONObject {
        var body = JSONObject()
        error.tell(in: language, &body)
        return body
    }

    @Test("G-15.7 G-15.8 every error says a key, and its text in the reader's language")
    func told() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                let body = body(OAuthError(AuthError(code)), in: language)
                let key = MessageKey(rawValue: body["message_key"]?.stringValue ?? "")
                let text = MessageCatalog.text(key, in: language)
                #expect(text != nil && body["localized_message"]?.stringValue == text, "\(code.rawValue)")
            }
        }
    }

    @Test(
        "G-15.8 R14.70 whoever shows a client, a code, a token or a provider's word learns no more of it than the protocol's word says"
    )
    func alike() {
        var answers: [[String?]: Set<String>] = [:]
        for code in AuthErrorCode.allKnown {
            let error = OAuthError(AuthError(code, reason: "private", field: "email", retryAfter: .minutes(15)))
            let words = [String(error.status.code), error.code, error.description, error.challenge]
            answers[words, default: []].insert(body(error, in: .de).text)
        }
        for (words, bodies) in answers { #expect(bodies.count == 1, "\(words)") }
        #expect(answers.count < AuthErrorCode.allKnown.count, "no two errors share their words")
    }

    @Test("G-15.8 of what a client does something about by itself, people are told nothing")
    func protocolSteps() {
        for code in ["authorization_pending", "slow_down", "use_dpop_nonce"] {
            #expect(OAuthError(.badRequest, code, "").localized(in: .en) == nil)
        }
    }
}
