// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a pool would protect its users by and this server does not do. It is refused by the member's name, in the
/// exception that the service has for a feature that is not to be had.
enum PoolRefusals {
    /// - Throws: `InvalidParameterException`, `FeatureUnavailableInTierException`.
    static func check(_ members: JSONObject) throws(WireError) {
        let addOns = members["UserPoolAddOns"]?.objectValue
        if let mode = addOns?["AdvancedSecurityMode"]?.stringValue, mode != "OFF" {
            throw unavailable("AdvancedSecurityMode \(mode)")
        }
        if let flows = addOns?["AdvancedSecurityAdditionalFlows"]?.objectValue, !flows.isEmpty {
            throw unavailable("AdvancedSecurityAdditionalFlows with CustomAuthMode")
        }
        let registration = members["DcrConfiguration"]?.objectValue
        if registration?["EnableStatus"] == "Enabled" {
            throw unavailable("DcrConfiguration with EnableStatus Enabled")
        }
        if registration?["OpenDcrEnabled"] == true { throw unavailable("DcrConfiguration with OpenDcrEnabled") }
        if let levels = members["AcrConfiguration"]?.objectValue, !levels.isEmpty {
            throw unavailable("AcrConfiguration")
        }
        let key = members["KeyConfiguration"]?.objectValue
        if key?["KeyType"] == "CUSTOMER_MANAGED_KEY" || key?["KmsKeyArn"] != nil {
            throw .parameter("KeyConfiguration with a KeyType CUSTOMER_MANAGED_KEY or a KmsKeyArn is not supported.")
        }
        // Their events carry the code under a data key that the service's own key management alone gives and opens.
        // The function is to send every message: to go on sending them by ourselves would go around it.
        for sender in ["CustomEmailSender", "CustomSMSSender"]
        where members["LambdaConfig"]?.objectValue?[sender] != nil {
            throw .parameter("LambdaConfig with a \(sender) is not supported: this server has no access to a KMS key.")
        }
        if members["IssuerConfiguration"]?.objectValue?["Type"] == "UPDATED" {
            throw .parameter("IssuerConfiguration of Type UPDATED is not supported by this server.")
        }
        // A message can be mailed and nothing else, so that a way of recovery that excludes it has to be its own.
        let mechanisms = PoolSettings.recoveryMechanisms(of: members)
        if mechanisms == ["verified_phone_number"] {
            throw .parameter("AccountRecoverySetting of verified_phone_number alone is not supported by this server.")
        }
        if mechanisms.contains("admin_only"), mechanisms.count > 1 {
            throw .parameter("Invalid AccountRecoverySetting: admin_only can't be combined with another mechanism.")
        }
    }

    private static func unavailable(_ feature: String) -> WireError {
        WireError("FeatureUnavailableInTierException", "\(feature) is not available on this server.")
    }
}
