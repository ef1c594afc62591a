// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    /// What the service wants before it lets somebody in, one step after the other: a second factor, a new password, or
    /// the confirmation of an address.
    struct StepView: View {
        private let studio: Studio
        private let identifier: String
        @State private var model: SecondFactorModel
        @State private var password = ""
        @State private var error: ErrorPresentation?

        init(studio: Studio, awaited: Awaited) {
            self.studio = studio
            identifier = awaited.identifier
            _model = State(
                initialValue: SecondFactorModel(
                    awaited.step, in: .signIn, service: studio.service, support: studio.support))
        }

        var body: some View {
            switch model.step.kind {
            case .confirmation: ConfirmView(studio: studio, identifier: identifier)
            case .newPassword:
                Form {
                    SecureField("New password", text: $password).textContentType(.newPassword)
                    if let error { ErrorText(error) }
                    Button("Continue") { Task { await setPassword() } }.disabled(password.isEmpty)
                }
                .onDisappear { password = "" }
            case .linking(let providers):
                Form {
                    MessageText(AuthErrorCode.needsConfirmation.messageKey)
                    ForEach(providers, id: \.self) { Text($0) }
                }
            case .oneTimePassword, .code, .choice, .enrolment, .passkey:
                Form { FactorFields(model: model, account: identifier) }.onDisappear { model.leave() }
            }
        }

        private func setPassword() async {
            let typed = Secret(password)
            password = ""
            error = nil
            do throws(AuthError) {
                let state = try await studio.service.answer(.newPassword(typed, attributes: [:]))
                guard case .awaiting(let next) = state else { return }
                model = SecondFactorModel(next, in: .signIn, service: studio.service, support: studio.support)
            } catch {
                let shown = ErrorPresentation(error, support: studio.support)
                if shown.isShown { self.error = shown }
            }
        }
    }

    /// A second factor's part of a form: what is asked, how it is answered, and the ways to go on instead.
    struct FactorFields: View {
        @Bindable var model: SecondFactorModel
        let account: String

        var body: some View {
            if let message = model.message { MessageText(message) }
            if let enrolment = model.enrolment {
                if let uri = enrolment.uri, let link = URL(string: uri.reveal()) {
                    Link("Open in your authenticator app", destination: link)
                }
                if let secret = enrolment.secret {
                    Text(secret.reveal()).textSelection(.enabled).monospaced()
                }
            }
            if model.asksForCode {
                TextField("Code", text: $model.code).textContentType(.oneTimeCode)
                Button("Continue") { Task { await model.submit() } }.disabled(!model.canSubmit)
            }
            if model.step.kind == .passkey {
                Button("Continue") { Task { await model.usePasskey() } }.disabled(model.isInProgress)
            }
            if model.enrolments.contains(.authenticator) {
                Button {
                    let label = AuthenticatorLabel(issuer: "Yoga", account: account)
                    Task { await model.enrol(NewSecondFactor(.authenticator, label: label)) }
                } label: {
                    MessageText(FactorKind.authenticator.message)
                }
                .disabled(model.isInProgress)
            }
            ForEach(model.choices) { choice in
                Button {
                    Task { await model.choose(choice) }
                } label: {
                    if let kind = choice.kind { MessageText(kind.message) } else { Text(choice.id) }
                }
                .disabled(model.isInProgress)
            }
            if model.canUseBackupCode {
                Toggle(isOn: $model.usesBackupCode) { MessageText(.factorUseBackupCode) }
            }
            ScreenStatus(screen: model)
        }
    }
#endif
