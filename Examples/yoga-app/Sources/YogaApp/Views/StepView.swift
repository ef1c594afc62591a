// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// A second factor, a new password, a choice, or the confirmation of an address.
    struct StepView: View {
        let studio: Studio
        let awaited: Awaited
        @State private var answer = ""
        @State private var error: ErrorPresentation?

        var body: some View {
            if awaited.step.kind == .confirmation {
                ConfirmView(studio: studio, identifier: awaited.identifier)
            } else {
                Form {
                    if let destination = awaited.step.destination {
                        MessageText(UserMessage(.confirmationSent, ["destination": destination]))
                    }
                    switch awaited.step.kind {
                    case .choice:
                        MessageText(UserMessage(.factorChoice))
                        ForEach(awaited.step.choices) { choice in
                            Button {
                                send(.choice(choice.id))
                            } label: {
                                if let kind = choice.kind { MessageText(kind.message) } else { Text(choice.id) }
                            }
                        }
                    case .enrolment(let kinds):
                        MessageText(UserMessage(.factorDemanded))
                        if kinds.contains(.authenticator) {
                            Button {
                                let label = AuthenticatorLabel(issuer: "Yoga", account: awaited.identifier)
                                send(.enrolment(NewSecondFactor(.authenticator, label: label)))
                            } label: {
                                MessageText(FactorKind.authenticator.message)
                            }
                        }
                    case .passkey:
                        MessageText(UserMessage(.factorOfKey))
                        Button("Continue") { send(.passkey) }
                    case .newPassword:
                        SecureField("New password", text: $answer).textContentType(.newPassword)
                        Button("Continue") { send(.newPassword(Secret(answer), attributes: [:])) }
                    case .oneTimePassword, .code:
                        if let enrolment = awaited.step.enrolment {
                            if let uri = enrolment.uri, let link = URL(string: uri.reveal()) {
                                Link("Open in your authenticator app", destination: link)
                            }
                            if let secret = enrolment.secret {
                                Text(secret.reveal()).textSelection(.enabled).monospaced()
                            }
                        }
                        TextField("Code", text: $answer).textContentType(.oneTimeCode)
                        Button("Continue") { send(.code(Secret(answer))) }
                    case .linking(let providers):
                        ForEach(providers, id: \.self) { Text($0) }
                    case .confirmation: EmptyView()
                    }
                    if let error { MessageText(error.message).foregroundStyle(.red) }
                }
            }
        }

        private func send(_ given: StepAnswer) {
            answer = ""
            error = nil
            Task {
                do { try await studio.service.answer(given) } catch {
                    let shown = ErrorPresentation(error, support: studio.support)
                    if shown.isShown { self.error = shown }
                }
            }
        }
    }
#endif
