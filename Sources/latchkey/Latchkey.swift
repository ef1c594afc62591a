// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// `latchkey`: the server and the tools of its operator.
@main
struct Latchkey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latchkey",
        abstract: "An identity server that existing SDKs sign in to unchanged.",
        subcommands: [
            ServeCommand.self, CheckConfigCommand.self, DirectoryCommand.self, UserCommand.self, LockoutCommand.self,
            TemplateCommand.self, MessageCommand.self, GroupCommand.self, ClientCommand.self,
            IdentityProviderCommand.self, APIKeyCommand.self, ServiceAccountCommand.self, SigningKeyCommand.self,
            TokenCommand.self, HookCommand.self, BackupCommand.self, DatabaseCommand.self, MasterKeyCommand.self,
            DemoCommand.self, TermsCommand.self,
        ])

    static func main() async {
        // A client that goes away must not end the server; see Output for the commands.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            Output.error(failure.message)
            Foundation.exit(failure.code.rawValue)
        } catch let error as ExitCode {
            Foundation.exit(error.rawValue)
        } catch {
            Latchkey.exit(withError: error)
        }
    }
}
