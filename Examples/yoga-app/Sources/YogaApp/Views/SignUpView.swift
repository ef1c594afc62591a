// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct SignUpView: View {
        private let studio: Studio
        @State private var model: SignUpModel

        init(studio: Studio) {
            self.studio = studio
            _model = State(
                initialValue: SignUpModel(service: studio.service, support: studio.support) { _ in })
        }

        var body: some View {
            if model.awaited?.kind == .confirmation {
                ConfirmView(studio: studio, identifier: model.identifier)
            } else {
                Form {
                    TextField("Email", text: $model.identifier).textContentType(.username)
                        .autocorrectionDisabled()
                    SecureField("Password", text: $model.password.text).textContentType(.newPassword)
                    PasswordProblems(problems: model.passwordProblems)
                    ScreenStatus(screen: model)
                    Button("Sign up") { Task { await model.submit() } }.disabled(!model.canSubmit)
                }
                .onDisappear { model.leave() }
            }
        }
    }

    /// The code that confirms an address. Where the service gives no session for it, the way back is the sign-in:
    /// nobody has kept the password (C-13).
    struct ConfirmView: View {
        @State private var model: ConfirmModel
        @Environment(\.dismiss) private var dismiss

        init(studio: Studio, identifier: String) {
            _model = State(
                initialValue: ConfirmModel(
                    identifier: identifier, service: studio.service, support: studio.support
                ) { _ in })
        }

        var body: some View {
            Form {
                TextField("Code", text: $model.code).textContentType(.oneTimeCode)
                ScreenStatus(screen: model)
                Button("Confirm") { Task { await model.submit() } }.disabled(!model.canSubmit)
                Button("Send another code") { Task { await model.resend() } }.disabled(model.isInProgress)
                if model.isConfirmed { Button("Sign in") { dismiss() } }
            }
            .onDisappear { model.leave() }
        }
    }
#endif
