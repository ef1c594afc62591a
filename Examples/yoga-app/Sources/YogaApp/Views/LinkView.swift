// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// A link that was opened, and what has become of it.
    struct OpenedLink: Identifiable {
        let link: String
        let outcome: DeepLinkOutcome

        /// Two outcomes of one link are two sheets.
        var id: String { String(describing: outcome) + link }
    }

    /// What a link leads to that is no place in the app (G-12).
    struct LinkView: View {
        let studio: Studio
        let opened: OpenedLink
        let replace: () -> Void
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            VStack(spacing: 16) {
                switch opened.outcome {
                case .confirmed(let message, _): MessageText(message)
                case .chooseNewPassword(let proof, _):
                    NewPasswordView(studio: studio, proof: proof.map { .link($0) } ?? .session)
                case .wouldReplaceSession:
                    // Anybody can send a link that opens the sender's own account.
                    Text("This link signs somebody in, in the place of you. Open it only if you asked for it.")
                    Button("Open it", role: .destructive) { replace() }
                case .failed(let error): ErrorText(error)
                case .show, .signInFirst, .awaits, .signedIn: EmptyView()
                }
                Button {
                    dismiss()
                } label: {
                    MessageText(.cancel)
                }
            }
            .padding(16)
        }
    }
#endif
