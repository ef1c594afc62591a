// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import LatchkeyClient

@Suite("ErrorPresentation") struct ErrorPresentationTests {
    private static let codes = AuthErrorCode.allKnown + AuthErrorCode.allOfClient

    @Test(
        "R13.5 G-15.7 G-15.8 F-10 Y-SC6 Every code of the domain and of the app has a text of its own, English and German"
    )
    func everyCode() {
        for code in Self.codes {
            let shown = ErrorPresentation(AuthError(code))
            let texts = MessageLanguage.allCases.map(shown.message.text)
            #expect(shown.message.key != .unknownError, "\(code.rawValue)")
            #expect(Set(texts).count == 2 && !texts.contains(shown.message.key.rawValue), "\(code.rawValue): \(texts)")
        }
    }

    @Test("R13.5 Every error leaves a way on, and each way has a text; nothing is shown or asked of who turned back")
    func ways() {
        for code in Self.codes {
            let shown = ErrorPresentation(AuthError(code, retryAfter: .seconds(90)), support: "help@app.test")
            let isSilent = [AuthErrorCode.cancelled, .superseded].contains(code)
            #expect(shown.isShown == !isSilent, "\(code.rawValue)")
            #expect(shown.suggestions.isEmpty == (isSilent || code == .invalidRedirect), "\(code.rawValue)")
            for suggestion in shown.suggestions {
                let texts = MessageLanguage.allCases.map(suggestion.message.text)
                #expect(Set(texts).count == 2 && !texts.contains { $0.contains("{") }, "\(texts)")
            }
        }
    }

    @Test("F-10 R13.5 Nobody is told to check what they entered where nothing of it is wrong")
    func innocent() {
        func ways(_ code: AuthErrorCode) -> [RecoverySuggestion] {
            ErrorPresentation(AuthError(code), support: "s").suggestions
        }
        #expect(ways(.emailNotVerified) == [.confirmAddress] && ways(.phoneNotVerified) == [.confirmAddress])
        #expect(ways(.emailExists) == [.signInAgain, .correctInput])
        for code in [
            AuthErrorCode.reauthenticationNeeded, .insufficientAssurance, .secondFactorRequired,
            .factorEnrolmentRequired,
        ] { #expect(ways(code) == [.signInAgain], "\(code.rawValue)") }
        for code in [AuthErrorCode.factorChallengeExpired, .factorChallengeNotFound, .temporaryPasswordExpired] {
            #expect(ways(code) == [.requestNewOne], "\(code.rawValue)")
        }
        for code in [AuthErrorCode.factorExists, .tooManyFactors, .noOtherFactor] {
            #expect(ways(code) == [.contactSupport("s")], "\(code.rawValue)")
        }
    }

    @Test("Y-E2 A provider's error offers another try, another way, and support where the app names an address")
    func provider() {
        let error = AuthError(.identityProviderUnavailable)
        let shown = ErrorPresentation(error, support: "help@app.test")
        #expect(shown.suggestions == [.retry, .signInAnotherWay, .contactSupport("help@app.test")])
        #expect(shown.suggestions.last?.message.text(in: .en) == "Contact support: help@app.test")
        #expect(ErrorPresentation(error).suggestions == [.retry, .signInAnotherWay])
    }

    @Test(
        "G-15.1 G-15.2 G-15.3 G-15.4 G-7.5 G-8.8 G-12.3 The texts that the requirements give are shown for what they are given for",
        arguments: [
            (.invalidCredentials, "Invalid email or password", "Ungültige E-Mail oder Passwort"),
            (
                .network, "Unable to connect. Please check your internet connection.",
                "Verbindung fehlgeschlagen. Bitte überprüfen Sie Ihre Internetverbindung."
            ),
            (
                .internalFailure, "Something went wrong. Please try again later.",
                "Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut."
            ),
            (
                .unavailable, "Something went wrong. Please try again later.",
                "Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut."
            ),
            (
                .emailExists, "An account with this email already exists",
                "Ein Konto mit dieser E-Mail existiert bereits"
            ),
            (
                .offlineSignIn, "Authentication requires internet connection",
                "Für die Anmeldung ist eine Internetverbindung erforderlich"
            ),
            (
                .rateLimited, "Too many requests. Please try again later",
                "Zu viele Anfragen. Bitte versuchen Sie es später erneut"
            ),
            (
                .oneTimeTokenInvalid, "This link is invalid or has expired. Please request a new one.",
                "Dieser Link ist ungültig oder abgelaufen. Bitte fordern Sie einen neuen an."
            ),
        ] as [(AuthErrorCode, String, String)])
    func given(_ code: AuthErrorCode, _ english: String, _ german: String) {
        let message = ErrorPresentation(AuthError(code)).message
        #expect(message.text(in: .en) == english && message.text(in: .de) == german)
    }

    @Test("R13.5 A code that a service brought up since stays readable, and nothing else of it gets into the line")
    func unknown() {
        let shown = ErrorPresentation(AuthError(AuthErrorCode(rawValue: "quantum_required")), support: "s")
        #expect(shown.message.text(in: .en) == "Something went wrong (quantum_required). Please try again later.")
        #expect(shown.suggestions == [.retry, .contactSupport("s")] && shown.isShown)
        let hostile = AuthErrorCode(rawValue: "a\u{202E}b\n{code}" + String(repeating: "x", count: 1000))
        let text = ErrorPresentation(AuthError(hostile)).message.text(in: .de)
        #expect(text.utf8.count < 160 && !text.contains("\n") && !text.contains("\u{202E}"))
        #expect(ErrorPresentation(AuthError(AuthErrorCode(rawValue: ""))).message.text(in: .en).contains("(?)"))
    }

    @Test("G-8.2 A lock is told with its minutes: the service's where it says so, this device's where it does not")
    func locked() {
        let told = ErrorPresentation(AuthError(.accountLocked, retryAfter: .seconds(61)))
        #expect(told.message.text(in: .en) == "Too many failed attempts. Try again in 2 minutes")
        let own = ErrorPresentation(AuthError(.invalidCredentials), lock: .minutes(15))
        #expect(own.message.text(in: .de) == "Zu viele Fehlversuche. Versuchen Sie es in 15 Minuten erneut")
        #expect(own.suggestions == [.wait(.minutes(15))])
        // A lock that this device knows of explains a refusal, and nothing else.
        #expect(ErrorPresentation(AuthError(.network), lock: .minutes(15)).message.key == .network)
        #expect(ErrorPresentation(AuthError(.accountLocked)).message.key == .rateLimit)
    }

    @Test("G-15.5 Every rule that a password broke is named beside the error")
    func violations() {
        let all = PasswordViolation.allCases
        let shown = ErrorPresentation(AuthError(.weakPassword, field: "password", violations: all))
        #expect(shown.field == "password" && shown.details.map(\.key.rawValue) == all.map(\.rawValue))
        for detail in shown.details { #expect(detail.text(in: .en) != detail.text(in: .de)) }
    }

    @Test("R13.5 C-11 Each reason for being signed out has a text of its own")
    func reasons() {
        for language in MessageLanguage.allCases {
            let texts = SignOutReason.allCases.map { $0.message.text(in: language) }
            #expect(Set(texts).count == SignOutReason.allCases.count && !texts.contains { $0.hasPrefix("auth.") })
        }
    }
}
