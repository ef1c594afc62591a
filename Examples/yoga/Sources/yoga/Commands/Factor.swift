// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Factor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Second factors of whoever is signed in.",
        subcommands: [List.self, Add.self, Remove.self, BackupCodes.self], defaultSubcommand: List.self)

    struct List: YogaCommand {
        static let configuration = CommandConfiguration(abstract: "Those there are.")
        @OptionGroup var output: Output

        func act() async throws {
            let found = try await Studio.open(output: output).service.secondFactors()
            for factor in found.factors { output.show(factor.line, factor.object) }
            if let left = found.backupCodesLeft {
                output.show("\(left) backup codes left", ["backupCodes": .integer(Int64(left))])
            }
            if found.factors.isEmpty { output.note("No second factors.") }
        }
    }

    struct Add: YogaCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set one up.",
            discussion:
                "What an authenticator app needs is printed, and its first code is the next line of the standard input."
        )

        @Option(help: "authenticator, phone, email.")
        var kind = "authenticator"
        @Option(help: "What you call it.")
        var name: String?
        @Option(help: "The number or address that codes are to go to.")
        var to: String?
        @OptionGroup var output: Output

        func act() async throws {
            let service = try await Studio.open(output: output).service
            let new = NewSecondFactor(try FactorKind(word: kind), name: name, destination: to, label: service.label)
            if let enrolment = try await service.enrol(new) {
                output.show(enrolment.line, enrolment.object)
                try await service.confirm(enrolment, with: try StandardInput.secret("The code"))
            }
            output.show("It is asked for from now on.", ["added": .string(kind)])
        }
    }

    struct Remove: YogaCommand {
        static let configuration = CommandConfiguration(abstract: "Take one away.")
        @Argument(help: "Which, as the list says.")
        var id: String
        @OptionGroup var output: Output

        func act() async throws {
            try await Studio.open(output: output).service.removeFactor(id)
            output.show("It is gone.", ["removed": .string(id)])
        }
    }

    struct BackupCodes: YogaCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup-codes", abstract: "Make codes for when the factors are lost, in place of those before."
        )
        @OptionGroup var output: Output

        func act() async throws {
            let codes = try await Studio.open(output: output).service.makeBackupCodes().map { $0.reveal() }
            output.show(codes.joined(separator: "\n"), ["codes": .array(codes.map { .string($0) })])
        }
    }
}

extension FactorKind {
    init(word: String) throws {
        guard let kind = FactorKind(rawValue: word) else {
            throw ValidationError("There are \(FactorKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = kind
    }
}

extension AuthenticationService {
    /// What an authenticator app shows.
    var label: AuthenticatorLabel {
        switch state {
        case .signedIn(let user), .refreshing(let user), .offline(_, let user), .blocked(let user):
            AuthenticatorLabel(issuer: "Yoga", account: user.shown)
        case .awaiting(let step): AuthenticatorLabel(issuer: "Yoga", account: step.identifier ?? "you")
        case .restoring, .signedOut, .storeLocked: AuthenticatorLabel(issuer: "Yoga", account: "you")
        }
    }
}
