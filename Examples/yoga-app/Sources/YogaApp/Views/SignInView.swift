// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import LatchkeyClient
    import SwiftUI

    struct SignInView: View {
        private let studio: Studio
        @State private var model: SignInModel
        @State private var isSigningUp = false
        @State private var reset: ResetRequestModel?

        init(studio: Studio) {
            self.studio = studio
            _model = State(
                initialValue: SignInModel(
                    service: studio.service, failures: studio.failures, support: studio.support
                ) { _ in })
        }

        var body: some View {
            NavigationStack {
                Form {
                    if let reason = model.reason { MessageText(reason) }
                    TextField("Email", text: $model.identifier)
                        .textContentType(.username)
                        .autocorrectionDisabled()
                    SecureField("Password", text: $model.password)
                        .textContentType(.password)
                    ScreenStatus(screen: model)
                    if let page = model.terms?.page, let link = URL(string: page) {
                        Link(destination: link) { MessageText(UserMessage(.wayTerms)) }
                    }
                    Button("Sign in") { Task { await model.submit() } }
                        .disabled(!model.canSubmit)
                    Section {
                        ForEach(studio.kits, id: \.provider) { kit in
                            Button("Sign in with \(kit.provider.capitalized)") {
                                Task { await model.signIn(by: kit, random: SystemRandomSource()) }
                            }
                        }
                        ForEach(studio.pages, id: \.self) { provider in
                            Button("Sign in with \(provider.capitalized)") {
                                Task { await model.signIn(provider: provider) }
                            }
                        }
                    }
                    .disabled(model.isInProgress)
                    Section {
                        Button("New here?") { isSigningUp = true }
                        Button("Forgot the password?") { reset = model.forgottenPassword() }
                    }
                }
                .navigationDestination(isPresented: $isSigningUp) { SignUpView(studio: studio) }
                .navigationDestination(isPresented: isResetting) {
                    if let reset { ResetView(studio: studio, model: reset) }
                }
                .navigationDestination(item: awaited) { awaited in
                    StepView(studio: studio, awaited: awaited)
                }
            }
            .onDisappear { model.leave() }
        }

        private var isResetting: Binding<Bool> {
            Binding(get: { reset != nil }, set: { if !$0 { reset = nil } })
        }

        private var awaited: Binding<Awaited?> {
            Binding(
                get: { model.awaited.map { Awaited(step: $0, identifier: model.identifier) } },
                set: { if $0 == nil { Task { await studio.service.abandonStep() } } })
        }
    }

    /// What the service wants next, of whom.
    struct Awaited: Identifiable, Hashable {
        let step: AwaitedStep
        let identifier: String

        var id: String { String(describing: step.kind) }

        static func == (one: Self, other: Self) -> Bool {
            one.id == other.id && one.identifier == other.identifier
        }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
#endif
