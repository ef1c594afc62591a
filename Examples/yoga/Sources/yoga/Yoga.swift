// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Yoga: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A yoga studio's app for the terminal: signs its users in and asks its API.",
        discussion: "What it keeps is in ~/.yoga, or in YOGA_HOME.",
        subcommands: [
            Configure.self, SignUp.self, Confirm.self, SignIn.self, Me.self, Activities.self, SignOut.self,
            Reset.self, Factor.self, Verify.self, Remembered.self, Sessions.self, Revoke.self, Export.self,
            DeleteAccount.self, Terms.self,
            Watch.self, Token.self, Hammer.self,
        ])
}
