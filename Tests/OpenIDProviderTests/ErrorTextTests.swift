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
        "G-15.8 R14.70 whoever shows a client, a code or a token learns no more of it than the protocol's word says",
        arguments: [
            [.clientNotFound, .clientSecretInvalid], [.tokenInvalid, .tokenExpired],
            [.flowStateNotFound, .flowStateExpired, .codeVerifierMismatch, .oneTimeTokenInvalid],
            [.refreshTokenNotFound, .refreshTokenReused, .sessionNotFound, .sessionExpired, .tokensRevoked],
        ] as [[AuthErrorCode]])
    func alike(codes: [AuthErrorCode]) {
        #expect(Set(codes.map { body(OAuthError(AuthError($0)), in: .de).text }).count == 1)
    }

    @Test("G-15.8 of what a client does something about by itself, people are told nothing")
    func protocolSteps() {
        for code in ["authorization_pending", "slow_down", "use_dpop_nonce"] {
            #expect(OAuthError(.badRequest, code, "").localized(in: .en) == nil)
        }
    }
}
