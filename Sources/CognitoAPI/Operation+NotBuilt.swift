// SPDX-License-Identifier: Apache-2.0

extension Operation {
    /// The operations of the service's model (API version 2016-04-18) that this server does not do yet, each with what
    /// the service says where the feature is not switched on or nothing is set up: an exception that the operation's
    /// model declares, so that SDKs have it as one of their types.
    static let notBuilt: [String: WireError] = Dictionary(
        answers.flatMap { answer in answer.names.split { $0 == " " || $0 == "\n" }.map { (String($0), answer) } }
            .map { name, answer in (name, WireError(answer.exception, answer.message)) }
    ) { first, _ in first }

    private typealias Refusal = (exception: String, message: String, names: String)

    private static let answers: [Refusal] = [
        (
            "UserPoolAddOnNotEnabledException", "Threat protection is not enabled for this user pool.",
            """
            AdminListUserAuthEvents AdminUpdateAuthEventFeedback DescribeRiskConfiguration SetRiskConfiguration
            UpdateAuthEventFeedback
            """
        ),
        (
            "FeatureUnavailableInTierException", "The feature is not available for this user pool.",
            """
            CancelPointInTimeRecovery CreateCIMDPolicy CreateUserPoolReplica DescribePointInTimeRecovery
            InitiatePointInTimeRecovery ListPointInTimeRecoveries SetLogDeliveryConfiguration
            SetUserPoolClientSessionConfiguration SetUserPoolSessionConfiguration StartPointInTimeRecovery
            UpdateCIMDPolicy UpdateClientMetadataURLState
            """
        ),
        (
            "InvalidParameterException", "App clients of this user pool have one client secret.",
            "AddUserPoolClientSecret"
        ),
        (
            "ResourceNotFoundException", "Client secret does not exist.",
            "DeleteUserPoolClientSecret ListUserPoolClientSecrets"
        ),
        (
            "ResourceNotFoundException", "Nothing of the kind is configured.",
            """
            DeleteCIMDPolicy DescribeCIMDPolicy GetLogDeliveryConfiguration GetProvisionedLimit ListCIMDPolicies
            ListClientMetadataURLs UpdateProvisionedLimit
            """
        ),
        (
            "OperationNotEnabledException", "The operation is not enabled for this user pool.",
            """
            AdminListUserSessions AdminResetUserPassword
            AdminRevokeUserSession CreateManagedLoginBranding CreateTerms CreateUserImportJob DeleteManagedLoginBranding
            DeleteTerms DeleteUserPoolReplica
            DescribeManagedLoginBranding DescribeManagedLoginBrandingByClient DescribeTerms
            DescribeTermsByClient DescribeUserImportJob GetCSVHeader GetClientToken GetDerivedToken
            GetSigningCertificate GetUserPoolClientSessionConfiguration
            GetUserPoolSessionConfiguration ListTagsForResource ListTerms ListUserImportJobs
            ListUserPoolReplicas ListUserSessions RevokeUserSession
            StartUserImportJob StopUserImportJob TagResource UntagResource UpdateManagedLoginBranding
            UpdateTerms UpdateUserPoolReplica
            """
        ),
    ]
}
