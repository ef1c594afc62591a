// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `factors`: the second factors of whoever is signed in, and the codes that they keep beside them; `factors/remove`:
/// asks before one goes.
enum FactorsPage {
    static let path = "/factors"
    static let removePath = "/factors/remove"

    static func get(_ call: PageCall) async throws -> Response {
        let (_, owner) = try await call.owner(on: AccountErrand(.factors))
        let factors = try await call.accounts.userFactors.list(of: owner.user.id, call: call.flow)
            .filter(\.isVerified)
        let codes = try await call.accounts.userBackupCodes.find(of: owner.user.id, call: call.flow)
        var frame = PageFrame(
            title: call.text(.factors), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(.factorsLead))</p>
                \(call.accountNotice)
                \(list(factors, call))
                \(try await adding(call))
                \(backup(codes, hasFactor: !factors.isEmpty, call))
                <p class="below"><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """)
        frame.isWide = true
        frame.languages = call.languages(path)
        return frame.response()
    }

    private static func list(_ factors: [Factor], _ call: PageCall) -> HTML {
        guard !factors.isEmpty else { return "<p>\(call.text(.noFactors))</p>" }
        let items: [HTML] = factors.map { factor in
            let label = FactorLabel(factor, in: call.language).full
            let used = factor.lastUsedAt.map { call.text(.lastUsed, ["time": $0.pageTime]) } ?? ""
            let url = call.url(removePath, [(AccountErrand.itemName, factor.id.rawValue)])
            let name = call.text(.factorRemoveLabel, ["factor": label])
            return """
                <li><div>\(label)<small>\(used)</small></div>
                <a class="button quiet small" href="\(url)" aria-label="\(name)">\(call.text(.remove))</a></li>
                """
        }
        return "<ul class=\"plain\">\n\(items)\n</ul>"
    }

    private static func adding(_ call: PageCall) async throws -> HTML? {
        let settings = call.flow.settings.factors
        let asks = try await call.asksAuthenticators()
        guard Factor.Kind.allCases.contains(where: { settings.use(of: $0) == .on && ($0 != .webAuthn || asks) }) else {
            return nil
        }
        return #"<p><a class="button quiet" href="\#(call.url(FactorVisit.newPath))">\#(call.text(.factorAdd))</a></p>"#
    }

    private static func backup(_ codes: BackupCodes?, hasFactor: Bool, _ call: PageCall) -> HTML? {
        guard hasFactor, call.flow.settings.factors.backupCodes == .on else { return nil }
        let left =
            codes.map { call.text(.backupCodesLeft, ["count": String($0.remaining)]) } ?? call.text(.noBackupCodes)
        return """
            <h2>\(call.text(.backupCodes))</h2>
            <p>\(left)</p>
            <p><a class="button quiet" href="\(call.url(BackupCodesPage.path))">\(call.text(.backupCodesMake))</a></p>
            """
    }

    static let removal = RemovalPage(
        list: path, page: .removeFactor, deed: .factors, title: .factorRemoveTitle, notice: .factorRemoved,
        missing: .factorNotFound
    ) { item, owner, call in
        let factors = try await call.accounts.userFactors.list(of: owner.user.id, call: call.flow)
        guard let factor = factors.first(where: { $0.id.rawValue == item }) else { return nil }
        let isLast = factors.count { $0.isVerified } == 1
        return call.html(
            isLast ? .factorRemoveLastLead : .factorRemoveLead,
            ["factor": FactorLabel(factor, in: call.language).full])
    } remove: { item, owner, call in
        _ = try await call.accounts.userFactors.remove(FactorID(item), of: owner, call: call.flow)
    }
}
