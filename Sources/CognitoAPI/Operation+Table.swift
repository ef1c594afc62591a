// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

/// The operations by what they are about. Those of signing in and of sessions stand beside their handlers.
extension Operation {
    /// What people do with their own accounts.
    static let account: [Operation] = [
        Operation(
            "SignUp", .client, limit: .by(.signUp), hashing: .when(.anyMember(["Password"])), SignUpEndpoints.signUp),
        Operation("ConfirmSignUp", .client, limit: .by(.verify), SignUpEndpoints.confirm),
        Operation("ResendConfirmationCode", .client, limit: .by(.oneTime), SignUpEndpoints.resend),
        Operation("ForgotPassword", .client, limit: .by(.oneTime), RecoveryEndpoints.request),
        Operation(
            "ConfirmForgotPassword", .client, limit: .by(.verify), hashing: .always, RecoveryEndpoints.confirm),
        Operation("GetUser", .user, limit: .unlimited(.signedIn), UserEndpoints.get),
        Operation("UpdateUserAttributes", .user, limit: .by(.user), UserEndpoints.update),
        Operation("DeleteUserAttributes", .user, limit: .by(.user), UserEndpoints.deleteAttributes),
        Operation("GetUserAttributeVerificationCode", .user, limit: .by(.oneTime), AttributeVerification.request),
        Operation("VerifyUserAttribute", .user, limit: .by(.verify), AttributeVerification.verify),
        Operation(
            "ChangePassword", .user, limit: .unlimited(.guessesCounted), hashing: .always,
            UserEndpoints.changePassword),
        Operation("DeleteUser", .user, limit: .unlimited(.signedIn), UserEndpoints.delete),
    ]

    /// What an operator's programs do with users.
    static let users: [Operation] = [
        Operation("AdminGetUser", .pool, AdminUserEndpoints.get),
        Operation("AdminCreateUser", .pool, AdminCreateUserEndpoint.post),
        Operation("AdminSetUserPassword", .pool, AdminUserEndpoints.setPassword),
        Operation("AdminConfirmSignUp", .pool, AdminUserEndpoints.confirm),
        Operation("AdminUpdateUserAttributes", .pool, AdminUserEndpoints.update),
        Operation("AdminDeleteUserAttributes", .pool, AdminUserEndpoints.deleteAttributes),
        Operation("AdminDisableUser", .pool, AdminUserEndpoints.disable),
        Operation("AdminEnableUser", .pool, AdminUserEndpoints.enable),
        Operation("AdminUserGlobalSignOut", .pool, AdminUserEndpoints.signOut),
        Operation("AdminDeleteUser", .pool, AdminUserEndpoints.delete),
        Operation("ListUsers", .pool, ListUsersEndpoint.post),
    ]

    static let groups: [Operation] = [
        Operation("CreateGroup", .pool, GroupEndpoints.create),
        Operation("GetGroup", .pool, GroupEndpoints.get),
        Operation("UpdateGroup", .pool, GroupEndpoints.update),
        Operation("DeleteGroup", .pool, GroupEndpoints.delete),
        Operation("ListGroups", .pool, GroupEndpoints.list),
        Operation("AdminAddUserToGroup", .pool, MembershipEndpoints.add),
        Operation("AdminRemoveUserFromGroup", .pool, MembershipEndpoints.remove),
        Operation("AdminListGroupsForUser", .pool, MembershipEndpoints.groups),
        Operation("ListUsersInGroup", .pool, MembershipEndpoints.users),
    ]

    static let pools: [Operation] = [
        Operation("CreateUserPool", .server, PoolEndpoints.create),
        Operation("ListUserPools", .server, PoolEndpoints.list),
        Operation("DescribeUserPool", .pool, PoolEndpoints.describe),
        Operation("UpdateUserPool", .pool, PoolEndpoints.update),
        Operation("AddCustomAttributes", .pool, PoolEndpoints.addAttributes),
        Operation("DeleteUserPool", .pool, PoolEndpoints.delete),
        Operation("CreateUserPoolClient", .pool, ClientEndpoints.create),
        Operation("DescribeUserPoolClient", .pool, ClientEndpoints.describe),
        Operation("UpdateUserPoolClient", .pool, ClientEndpoints.update),
        Operation("ListUserPoolClients", .pool, ClientEndpoints.list),
        Operation("DeleteUserPoolClient", .pool, ClientEndpoints.delete),
    ]

    /// What a pool's own pages and its endpoints for apps go by.
    static let hosting: [Operation] = [
        Operation("CreateIdentityProvider", .pool, IdentityProviderEndpoints.create),
        Operation("DescribeIdentityProvider", .pool, IdentityProviderEndpoints.describe),
        Operation("UpdateIdentityProvider", .pool, IdentityProviderEndpoints.update),
        Operation("DeleteIdentityProvider", .pool, IdentityProviderEndpoints.delete),
        Operation("ListIdentityProviders", .pool, IdentityProviderEndpoints.list),
        Operation("GetIdentityProviderByIdentifier", .pool, IdentityProviderEndpoints.byIdentifier),
        Operation("AdminLinkProviderForUser", .pool, LinkEndpoints.link),
        Operation("AdminDisableProviderForUser", .pool, LinkEndpoints.disable),
        Operation("CreateResourceServer", .pool, ResourceServerEndpoints.create),
        Operation("DescribeResourceServer", .pool, ResourceServerEndpoints.describe),
        Operation("UpdateResourceServer", .pool, ResourceServerEndpoints.update),
        Operation("DeleteResourceServer", .pool, ResourceServerEndpoints.delete),
        Operation("ListResourceServers", .pool, ResourceServerEndpoints.list),
        Operation("CreateUserPoolDomain", .pool, DomainEndpoints.create),
        Operation("DescribeUserPoolDomain", .server, DomainEndpoints.describe),
        Operation("UpdateUserPoolDomain", .pool, DomainEndpoints.update),
        Operation("DeleteUserPoolDomain", .pool, DomainEndpoints.delete),
        Operation("GetUICustomization", .pool, takesEveryClient: true, CustomizationEndpoints.get),
        Operation("SetUICustomization", .pool, takesEveryClient: true, CustomizationEndpoints.set),
    ]
}
