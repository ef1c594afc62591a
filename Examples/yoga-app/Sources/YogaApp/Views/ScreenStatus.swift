// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// A text of the catalog in the reader's language.
    struct MessageText: View {
        @Environment(\.locale) private var locale
        private let message: UserMessage

        init(_ message: UserMessage) { self.message = message }
        init(_ key: MessageKey) { message = UserMessage(key) }

        var body: some View { Text(message.text(in: MessageLanguage(matching: [locale.identifier]))) }
    }

    /// What went wrong on a screen and the ways on, or its good news.
    struct ScreenStatus: View {
        let screen: Screen

        var body: some View {
            if let error = screen.error {
                ErrorText(error)
            } else if let notice = screen.notice {
                MessageText(notice).font(.callout)
            }
        }
    }

    /// What went wrong, and the ways on.
    struct ErrorText: View {
        private let error: ErrorPresentation

        init(_ error: ErrorPresentation) { self.error = error }

        var body: some View {
            VStack(alignment: .leading, spacing: 4) {
                MessageText(error.message).foregroundStyle(.red)
                ForEach(error.details, id: \.self) { MessageText($0) }
                ForEach(error.suggestions, id: \.self) { MessageText($0.message) }
            }
            .font(.callout)
            .accessibilityElement(children: .combine)
        }
    }

    /// Every rule that a new password breaks so far.
    struct PasswordProblems: View {
        let problems: [UserMessage]

        var body: some View {
            ForEach(problems, id: \.self) { MessageText($0).font(.footnote).foregroundStyle(.secondary) }
        }
    }
#endif
