// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// A forgotten password: who it is, then the code of the mail and a new one.
    struct ResetView: View {
        private let studio: Studio
        @State private var model: ResetRequestModel

        init(studio: Studio, model: ResetRequestModel) {
            self.studio = studio
            _model = State(initialValue: model)
        }

        var body: some View {
            Form {
                TextField("Email", text: $model.identifier).textContentType(.username)
                    .autocorrectionDisabled()
                ScreenStatus(screen: model)
                Button("Send") { Task { await model.submit() } }.disabled(!model.canSubmit)
                if model.isSent {
                    NavigationLink("I have a code") {
                        NewPasswordView(studio: studio, proof: .code(identifier: model.identifier))
                    }
                }
            }
            .onDisappear { model.leave() }
        }
    }

    /// Also where a mailed link leads to, with what it holds as the proof.
    struct NewPasswordView: View {
        @State private var model: ResetConfirmModel
        @Environment(\.dismiss) private var dismiss

        init(studio: Studio, proof: ResetConfirmModel.Proof) {
            _model = State(
                initialValue: ResetConfirmModel(
                    proof: proof, service: studio.service, support: studio.support))
        }

        var body: some View {
            Form {
                if model.asksForCode { TextField("Code", text: $model.code).textContentType(.oneTimeCode) }
                SecureField("New password", text: $model.password.text).textContentType(.newPassword)
                PasswordProblems(problems: model.passwordProblems)
                ScreenStatus(screen: model)
                Button("Set the password") { Task { await model.submit() } }.disabled(!model.canSubmit)
                if model.isDone { Button("Done") { dismiss() } }
            }
            .onDisappear { model.leave() }
        }
    }
#endif
