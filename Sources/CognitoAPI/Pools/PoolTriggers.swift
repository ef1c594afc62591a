// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The functions of a pool's `LambdaConfig` that may refuse what a call asks for, or decide what a token says.
///
/// None is run here. Left out in silence they would leave a pool open that was meant to be guarded: a call that asks one
/// is refused as the service refuses it when the function can't be invoked. What only follows a call, or changes how
/// something looks, is left out.
enum PoolTriggers {
    /// - Throws: `UnexpectedLambdaException`.
    static func require(for operation: Operation, _ call: DialectCall) throws(WireError) {
        guard let names = asked[operation.name] else { return }
        guard let configured = call.pool.shown["LambdaConfig"]?.objectValue else { return }
        let isRefresh = ["REFRESH_TOKEN", "REFRESH_TOKEN_AUTH"].contains(call.input.object["AuthFlow"]?.stringValue)
        for name in names where configured[name] != nil && !(isRefresh && name == "PreAuthentication") {
            throw WireError(
                "UnexpectedLambdaException",
                "\(name) invocation failed due to error ResourceNotFoundException: this server runs no functions.")
        }
    }

    private static let tokens = ["PreTokenGeneration", "PreTokenGenerationConfig"]
    private static let signIn = ["PreAuthentication"] + tokens

    private static let asked = [
        "SignUp": ["PreSignUp"], "AdminCreateUser": ["PreSignUp"], "InitiateAuth": signIn, "AdminInitiateAuth": signIn,
        "RespondToAuthChallenge": signIn, "AdminRespondToAuthChallenge": signIn, "GetTokensFromRefreshToken": tokens,
    ]
}
