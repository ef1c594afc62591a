// SPDX-License-Identifier: Apache-2.0

extension Operation {
    /// The operations of the service's model (API version 2016-04-18) that this server does not do yet.
    static let notBuilt: Set<String> = Set(
        """
        AddUserPoolClientSecret AdminDeleteSoftwareToken AdminDisableProviderForUser
        AdminForgetDevice AdminGetDevice AdminGetUserAuthFactors AdminLinkProviderForUser AdminListDevices
        AdminListUserAuthEvents AdminListUserSessions AdminResetUserPassword AdminRevokeUserSession
        AdminSetUserMFAPreference AdminSetUserSettings AdminUpdateAuthEventFeedback AdminUpdateDeviceStatus
        AssociateSoftwareToken CompleteWebAuthnRegistration ConfirmDevice CreateIdentityProvider
        CreateManagedLoginBranding CreateResourceServer CreateTerms CreateUserImportJob CreateUserPoolDomain
        CreateUserPoolReplica DeleteIdentityProvider DeleteManagedLoginBranding DeleteResourceServer DeleteTerms
        DeleteUserPoolClientSecret DeleteUserPoolDomain DeleteUserPoolReplica DeleteWebAuthnCredential
        DescribeIdentityProvider DescribeManagedLoginBranding DescribeManagedLoginBrandingByClient
        DescribeResourceServer DescribeRiskConfiguration DescribeTerms DescribeTermsByClient DescribeUserImportJob
        DescribeUserPoolDomain ForgetDevice GetCSVHeader GetClientToken GetDerivedToken GetDevice
        GetIdentityProviderByIdentifier GetLogDeliveryConfiguration GetProvisionedLimit GetSigningCertificate
        GetUICustomization GetUserAuthFactors GetUserPoolClientSessionConfiguration GetUserPoolMfaConfig
        GetUserPoolSessionConfiguration ListDevices ListIdentityProviders ListResourceServers ListTagsForResource
        ListTerms ListUserImportJobs ListUserPoolClientSecrets ListUserPoolReplicas ListUserSessions
        ListWebAuthnCredentials RevokeUserSession SetLogDeliveryConfiguration SetRiskConfiguration
        SetUICustomization SetUserMFAPreference SetUserPoolClientSessionConfiguration SetUserPoolMfaConfig
        SetUserPoolSessionConfiguration SetUserSettings StartUserImportJob StartWebAuthnRegistration
        StopUserImportJob TagResource UntagResource UpdateAuthEventFeedback UpdateDeviceStatus
        UpdateIdentityProvider UpdateManagedLoginBranding UpdateProvisionedLimit UpdateResourceServer UpdateTerms
        UpdateUserPoolDomain UpdateUserPoolReplica VerifySoftwareToken
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
