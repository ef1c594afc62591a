// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// The functions of a pool's `LambdaConfig` that may refuse what a call asks for, or decide what a token says.
///
/// None is run here: a program of `hooks.file` may stand in for one. Left out in silence they would leave a pool open
/// that was meant to be guarded: a call that asks one is refused as the service refuses it when the function can't be
/// invoked. What only follows a call, or changes how something looks, is left out unless such a program stands in for
/// it.
enum PoolTriggers {
    /// - Throws: `UnexpectedLambdaException`.
    static func require(for operation: Operation, _ call: DialectCall) throws(WireError) {
        guard let names = asked[operation.name] else { return }
        guard let configured = call.pool.shown["LambdaConfig"]?.objectValue else { return }
        let isRefresh = ["REFRESH_TOKEN", "REFRESH_TOKEN_AUTH"].contains(call.input.object["AuthFlow"]?.stringValue)
        // What the operator has put in its place is asked by the flows.
        let there = call.accounts.configuredHooks(of: CognitoDialect.name, in: call.directory)
        for name in names where configured[name] != nil && !(isRefresh && name == "PreAuthentication") {
            guard !there.contains(name), !(tokens.contains(name) && !there.isDisjoint(with: tokenHooks)) else {
                continue
            }
            throw WireError(
                "UnexpectedLambdaException",
                "\(name) invocation failed due to error ResourceNotFoundException: this server runs no functions.")
        }
    }

    private static let tokens = ["PreTokenGeneration", "PreTokenGenerationConfig"]
    private static let tokenHooks: Set<String> = ["PreTokenGeneration", "PreTokenGeneration_V2"]
    private static let signIn = ["PreAuthentication"] + tokens

    private static let asked = [
        "SignUp": ["PreSignUp"], "AdminCreateUser": ["PreSignUp"], "InitiateAuth": signIn, "AdminInitiateAuth": signIn,
        "RespondToAuthChallenge": signIn, "AdminRespondToAuthChallenge": signIn, "GetTokensFromRefreshToken": tokens,
    ]
}
