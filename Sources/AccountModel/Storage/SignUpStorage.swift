// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol SignUpReading {
    func signUpAttempt(_ id: SignUpAttemptID, in directory: DirectoryID) throws -> SignUpAttempt?
    /// The sign-ups of a user that nobody has answered, the newest first.
    func signUpAttempts(of user: UserID, in directory: DirectoryID) throws -> [SignUpAttempt]
}

public protocol SignUpWriting: SignUpReading {
    func insert(_ attempt: SignUpAttempt) throws
    /// The links and codes that were sent for the sign-up go with it.
    func deleteSignUpAttempt(_ id: SignUpAttemptID, in directory: DirectoryID) throws
    /// As ``deleteSignUpAttempt(_:in:)``, all of a user's.
    func deleteSignUpAttempts(of user: UserID, in directory: DirectoryID) throws
}
