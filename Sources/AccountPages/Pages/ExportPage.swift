// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `export`: what the link of a message opens by which somebody gets everything that is held about them. Its button
/// gives the file; whatever fetches links by itself gets nothing and spends nothing.
enum ExportPage {
    static let path = "/export"
    private static let tokenName = "token"

    static func get(_ call: PageCall) async throws -> Response {
        guard let token = call.query[tokenName], !token.isEmpty,
            let proof = try await call.accounts.inspectProof(.link(token: token), purposes: [.export], call: call.flow)
        else { return MailedLinkPage.dead(.export, call) }
        var page = LinkPage(
            proof, brand: call.brand, language: call.language, action: call.url(path),
            fields: [(tokenName, token), (FormToken.field, call.formToken(path))], target: nil)
        page.languages = call.languages(path, [(tokenName, token)])
        return page.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let token = call.form[tokenName], !token.isEmpty else { return MailedLinkPage.dead(.export, call) }
        do {
            let export = try await call.accounts.exportAccount(token, call: call.flow)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/zip", .contentDisposition: #"attachment; filename="account.zip""#,
                    .cacheControl: "no-store",
                ],
                // Piece by piece, as fast as it is fetched.
                body: ResponseBody { writer in
                    var pieces = export.pieces()
                    while let piece = try await pieces.next() {
                        do {
                            try await writer.write(ByteBuffer(bytes: piece))
                        } catch {
                            await pieces.abandon()
                            throw error
                        }
                    }
                    try await writer.finish(nil)
                })
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return MailedLinkPage.dead(.export, call)
        }
    }
}
