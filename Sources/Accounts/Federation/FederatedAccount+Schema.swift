// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a dialect's schema makes of a user who comes by a provider.
struct FederatedAttributes {
    private let step: FlowStep
    private let provider: IdentityProvider
    private let proof: FederatedProof
    private let schema: (any AccountSchema)?
    private let mapped: MappedAttributes

    init(_ step: FlowStep, _ provider: IdentityProvider, _ proof: FederatedProof, _ schema: (any AccountSchema)?) {
        self.step = step
        self.provider = provider
        self.proof = proof
        self.schema = schema
        mapped = MappedAttributes(proof, by: provider.attributeMapping)
    }

    /// What no account may be without and the provider does not say; empty where a newcomer is complete.
    var missing: [String] { schema?.missing(from: mapped, email: proof.email) ?? [] }

    /// Gives a newcomer, not yet written, their name and the number that they named.
    func name(_ user: inout User) throws {
        guard let schema else { return }
        // A name that somebody has chosen, or is called by, stays theirs, and one that reads as an address is its
        // owner's: subjects are other people's words. This user is called by their identifier then, as one without.
        if let name = schema.username(of: proof.subject, at: provider), (try? EmailAddress(name.rawValue)) == nil,
            try step.tx.owner(of: name, in: step.directory) == nil
        {
            user.username = name
        }
        // Proved to nobody here: it waits for a code.
        if user.phone == nil { user.pendingPhone = mapped.phone }
    }

    /// Puts a newcomer, who is written, in the group of their provider's users, which is made where there is none.
    func join(_ user: User) throws {
        guard let wanted = schema?.group(of: provider), GroupAdministration.isName(wanted.name) else { return }
        let group: Group
        if let found = try step.tx.group(named: wanted.name, in: step.directory) {
            group = found
        } else {
            group = Group(
                id: step.identifier(), directoryID: step.directory, name: wanted.name, description: wanted.description,
                precedence: nil, createdAt: step.now, updatedAt: step.now)
            try step.tx.insert(group)
            try step.record(.groupChanged, user: nil, details: ["created": .string(wanted.name)])
        }
        _ = try step.tx.addMember(user.id, to: group.id, in: step.directory, byProvider: true, at: step.now)
    }

    /// Writes what the operator wants copied: each time, over what the dialect takes of a newcomer. The caller writes
    /// the user.
    func write(_ description: FederationPolicy.Description, at moment: FederationPolicy.Moment, to user: inout User)
        throws
    {
        try user.write(
            metadata: description.metadata.merging(mapped.shared), attributes: description.attributes, call: step.call)
        guard let schema else { return }
        let kept = schema.attributes(of: mapped, at: moment)
        try user.write(kept.byUser, kept.byOperator, in: schema.dialect, step.settings)
    }
}
