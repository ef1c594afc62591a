// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Every flow that a dialect may call, made once where the program is put together.
///
/// A dialect is given this and never the ports: it decodes a call, makes it here, and encodes what comes of it. What is
/// one transaction, what is audited and what is allowed is decided below.
public final class AccountFlows: Sendable {
    /// Not a dialect's: neither the store nor a transaction can be reached from outside this room.
    private let ports: AccountPorts

    public let keys: KeyRing
    public let directories: DirectoryCatalog
    public let clients: ClientCatalog
    public let identityProviderCatalog: IdentityProviderCatalog
    private let pageStarts = PageStarts()

    /// - Parameter keys: those of every Directory; one ring for the whole program.
    public init(_ ports: AccountPorts, keys: KeyRing) {
        self.ports = ports
        self.keys = keys
        directories = DirectoryCatalog(store: ports.store)
        clients = ClientCatalog(store: ports.store)
        identityProviderCatalog = IdentityProviderCatalog(ports)
    }

    /// Follows what other servers change of what these flows keep copies of. One for the whole program.
    public func changeFollower() -> ChangeFollower {
        ChangeFollower(
            store: ports.store,
            expire: [
                .directories: { [directories] in directories.expire() }, .clients: { [clients] in clients.expire() },
                .signingKeys: { [keys] in keys.expire() },
                .identityProviders: { [identityProviderCatalog] in identityProviderCatalog.expire() },
            ])
    }

    /// How often each client may call, and what is guessed and sent.
    public var limits: AccountLimits { ports.limits }
    public var random: any RandomSource { ports.random }

    /// The hooks of a dialect's form that the operator has configured for a Directory, by the vendor's names.
    public func configuredHooks(of dialect: DialectName, in directory: Directory) -> Set<String> {
        Set(ports.hooks.blocking.filter { $0.dialect == dialect && $0.directory == directory.name }.map(\.name))
    }

    /// Whether what is sent to the recipient can arrive.
    public func reaches(_ recipient: Recipient, call: CallContext) -> Bool { ports.reaches(recipient, call: call) }
}

extension AccountFlows {
    // MARK: Signing up and in

    public var signUp: SignUp { SignUp(ports) }
    public var anonymousSignUp: AnonymousSignUp { AnonymousSignUp(ports) }
    public var anonymousUpgrade: AnonymousUpgrade { AnonymousUpgrade(ports) }
    public var passwordSignIn: PasswordSignIn { PasswordSignIn(ports) }
    public var srpSignIn: SRPSignIn { SRPSignIn(ports) }
    public var phoneSignIn: PhoneSignIn { PhoneSignIn(ports) }
    public var codeSignIn: CodeSignIn { CodeSignIn(ports) }
    public var customSignIn: CustomSignIn { CustomSignIn(ports) }
    public var assertedSignIn: AssertedSignIn { AssertedSignIn(ports) }
    public var replaceTemporaryPassword: ReplaceTemporaryPassword { ReplaceTemporaryPassword(ports) }

    // MARK: Second factors

    public var enrolFactor: EnrolFactor { EnrolFactor(ports) }
    public var challengeFactor: ChallengeFactor { ChallengeFactor(ports) }
    public var answerFactor: AnswerFactor { AnswerFactor(ports) }
    public var concludeSignIn: ConcludeSignIn { ConcludeSignIn(ports) }
    public var stepUp: StepUp { StepUp(ports) }
    public var userFactors: UserFactors { UserFactors(ports) }
    public var factorPreferences: FactorPreferences { FactorPreferences(ports) }
    public var userBackupCodes: UserBackupCodes { UserBackupCodes(ports) }
    public var findMissingProof: FindMissingProof { FindMissingProof(ports) }
    public var factorAdministration: FactorAdministration { FactorAdministration(ports) }
    public var recoverFactors: RecoverFactors { RecoverFactors(ports) }
    public var stopFactorRecovery: StopFactorRecovery { StopFactorRecovery(ports) }

    // MARK: Passkeys

    public var registerPasskey: RegisterPasskey { RegisterPasskey(ports) }
    public var passkeySignIn: PasskeySignIn { PasskeySignIn(ports) }
    public var userPasskeys: UserPasskeys { UserPasskeys(ports) }
    public var undoFactor: UndoFactor { UndoFactor(ports) }

    // MARK: Devices that keep a secret

    public var deviceSignIn: DeviceSignIn { DeviceSignIn(ports) }
    public var userDevices: UserDevices { UserDevices(ports) }

    // MARK: Other people's identity providers

    public var identityProviders: IdentityProviders { IdentityProviders(ports) }
    public var beginFederatedSignIn: BeginFederatedSignIn { BeginFederatedSignIn(ports) }
    public var completeFederatedSignIn: CompleteFederatedSignIn { CompleteFederatedSignIn(ports) }
    public var idTokenSignIn: IDTokenSignIn { IDTokenSignIn(ports) }
    public var unlinkIdentity: UnlinkIdentity { UnlinkIdentity(ports) }
    public var endFederatedSessions: EndFederatedSessions { EndFederatedSessions(ports) }
    public var synchronizeUser: SynchronizeUser { SynchronizeUser(ports) }
    public var identityProviderAdministration: IdentityProviderAdministration { IdentityProviderAdministration(ports) }
    public var identityAdministration: IdentityAdministration { IdentityAdministration(ports) }
    public var linkTicket: LinkTicket { LinkTicket(ports) }
    public var federatedSignIn: FederatedSignIn { FederatedSignIn(ports) }

    // MARK: Identities for other services

    public var identityPools: IdentityPools { IdentityPools(ports) }
    public var resolvePoolIdentity: ResolvePoolIdentity { ResolvePoolIdentity(ports) }
    public var unlinkPoolLogins: UnlinkPoolLogins { UnlinkPoolLogins(ports) }
    public var developerIdentities: DeveloperIdentities { DeveloperIdentities(ports) }
    public var identityPoolAdministration: IdentityPoolAdministration { IdentityPoolAdministration(ports) }
    public var issueTemporaryCredentials: IssueTemporaryCredentials { IssueTemporaryCredentials(ports) }

    // MARK: Messages and what is proved by them

    public var requestRecovery: RequestRecovery { RequestRecovery(ports) }
    public var requestMagicLink: RequestMagicLink { RequestMagicLink(ports) }
    public var requestPhoneCode: RequestPhoneCode { RequestPhoneCode(ports) }
    public var requestReauthentication: RequestReauthentication { RequestReauthentication(ports) }
    public var requestVerification: RequestVerification { RequestVerification(ports) }
    public var resendMessage: ResendMessage { ResendMessage(ports) }
    public var inspectProof: InspectProof { InspectProof(ports) }
    public var verifyProof: VerifyProof { VerifyProof(ports) }
    public var linkAddress: LinkAddress { LinkAddress(ports) }
    public var confirmAddress: ConfirmAddress { ConfirmAddress(ports) }
    public var resetPassword: ResetPassword { ResetPassword(ports) }
    public var unlockAccount: UnlockAccount { UnlockAccount(ports) }

    // MARK: Apps that users are sent here by

    public var beginAuthorization: BeginAuthorization { BeginAuthorization(ports) }
    public var continueAuthorization: ContinueAuthorization { ContinueAuthorization(ports) }
    public var refuseAuthorization: RefuseAuthorization { RefuseAuthorization(ports) }
    public var chooseAccount: ChooseAccount { ChooseAccount(ports) }
    public var answerConsent: AnswerConsent { AnswerConsent(ports) }
    public var siteAuthorization: SiteAuthorization { SiteAuthorization(ports) }
    public var consents: Consents { Consents(ports) }
    public var scopeDescriptions: ScopeDescriptions { ScopeDescriptions(ports) }
    public var browserSessions: BrowserSessions { BrowserSessions(ports) }
    public var exchangeCode: ExchangeCode { ExchangeCode(ports) }
    public var findClientSession: FindClientSession { FindClientSession(ports) }
    public var noteTokenExchange: NoteTokenExchange { NoteTokenExchange(ports) }

    // MARK: Devices that users let in by a browser elsewhere

    public var beginDeviceAuthorization: BeginDeviceAuthorization { BeginDeviceAuthorization(ports) }
    public var answerDeviceAuthorization: AnswerDeviceAuthorization { AnswerDeviceAuthorization(ports) }
    public var exchangeDeviceCode: ExchangeDeviceCode { ExchangeDeviceCode(ports) }

    // MARK: Sessions

    public var sessionAuthentication: SessionAuthentication { SessionAuthentication(ports) }
    public var refreshSession: RefreshSession { RefreshSession(ports) }
    public var inspectRefreshToken: InspectRefreshToken { InspectRefreshToken(ports) }
    public var replaceSession: ReplaceSession { ReplaceSession(ports) }
    public var customizeToken: CustomizeToken { CustomizeToken(ports) }
    public var endSession: EndSession { EndSession(ports) }
    public var signOut: SignOut { SignOut(ports) }
    public var sessionList: SessionList { SessionList(ports) }

    // MARK: The user's own account

    public var updateUser: UpdateUser { UpdateUser(ports) }
    public var changePassword: ChangePassword { ChangePassword(ports) }
    public var deleteAccount: DeleteAccount { DeleteAccount(ports) }
    public var requestExport: RequestExport { RequestExport(ports) }
    public var exportAccount: ExportAccount { ExportAccount(ports) }
    public var explainDeletion: ExplainDeletion { ExplainDeletion(ports) }
    public var profileFlow: ProfileFlow { ProfileFlow(ports) }
    public var activityFeed: ActivityFeed { ActivityFeed(ports) }
    public var findUser: FindUser { FindUser(ports) }
    public var userGroups: UserGroups { UserGroups(ports) }

    // MARK: Terms and consents

    public var termsCatalog: TermsCatalog { TermsCatalog(ports) }
    public var agreeToTerms: AgreeToTerms { AgreeToTerms(ports) }
    public var userConsents: UserConsents { UserConsents(ports) }
    public var termsAdministration: TermsAdministration { TermsAdministration(ports) }

    // MARK: Administration

    public var initialAccessTokens: InitialAccessTokens { InitialAccessTokens(ports) }
    public var registerClient: RegisterClient { RegisterClient(ports) }
    public var apiKeyAuthentication: APIKeyAuthentication { APIKeyAuthentication(ports) }
    public var clientAuthentication: ClientAuthentication { ClientAuthentication(ports) }
    public var spendProof: SpendProof { SpendProof(ports) }
    public var serviceAccountAuthentication: ServiceAccountAuthentication { ServiceAccountAuthentication(ports) }
    public var serviceAccountAdministration: ServiceAccountAdministration { ServiceAccountAdministration(ports) }
    public var userAdministration: UserAdministration { UserAdministration(ports, starts: pageStarts) }
    public var importUsers: ImportUsers { ImportUsers(ports) }
    public var groupAdministration: GroupAdministration { GroupAdministration(ports) }
    public var sessionAdministration: SessionAdministration { SessionAdministration(ports) }
    public var clientAdministration: ClientAdministration { ClientAdministration(ports) }
    public var resourceServerAdministration: ResourceServerAdministration { ResourceServerAdministration(ports) }
    public var domainAdministration: DomainAdministration { DomainAdministration(ports) }
    public var directoryAdministration: DirectoryAdministration { DirectoryAdministration(ports) }
    public var lockoutAdministration: LockoutAdministration { LockoutAdministration(ports) }
    public var auditLog: AuditLog { AuditLog(ports) }
    public var outboxInspection: OutboxInspection { OutboxInspection(ports) }
}
