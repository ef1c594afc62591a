// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct SignOutDialog: View {
        @Bindable var model: SignOutModel

        var body: some View {
            Form {
                ForEach(model.lines, id: \.self) { MessageText($0) }
                Toggle(isOn: $model.keepsLocalData) { MessageText(.signOutKeep) }
                Button {
                    Task { await model.confirm() }
                } label: {
                    MessageText(.signOutConfirm)
                }
                Button(role: .cancel) {
                    model.cancel()
                } label: {
                    MessageText(.cancel)
                }
            }
            .presentationDetents([.medium])
        }
    }

    /// What it means, then who asks.
    struct DeleteAccountView: View {
        @Bindable var model: DeleteAccountModel

        var body: some View {
            Form {
                if let message = model.message { MessageText(message) }
                ScreenStatus(screen: model)
                switch model.stage {
                case .explaining:
                    Button {
                        model.understood()
                    } label: {
                        MessageText(.deleteConfirm)
                    }
                case .proving:
                    SecureField("Password", text: $model.password).textContentType(.password)
                    Button(role: .destructive) {
                        Task { await model.confirm() }
                    } label: {
                        MessageText(.deleteConfirm)
                    }
                    .disabled(model.password.isEmpty || model.isInProgress)
                case .provingFactor:
                    if let factor = model.factor { FactorFields(model: factor, account: "") }
                case .closed, .deleted: EmptyView()
                }
                Button(role: .cancel) {
                    model.cancel()
                } label: {
                    MessageText(.cancel)
                }
            }
            .presentationDetents([.medium])
            .task { await model.load() }
        }
    }
#endif
