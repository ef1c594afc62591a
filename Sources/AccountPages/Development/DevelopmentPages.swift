// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The pages of a development server: connection settings and the outbox. Never added to a router in production.
public struct DevelopmentPages: Sendable {
    /// How many messages the list shows.
    private static let shown = 200

    private let outbox: OutboxInspection
    private let settings: @Sendable () -> DevelopmentSettings
    private let templates: PageTemplates

    /// - Parameter settings: asked at each view, since the server's URL may be known late.
    /// - Throws: When a built-in template does not compile, which a test rules out.
    public init(outbox: OutboxInspection, settings: @escaping @Sendable () -> DevelopmentSettings) throws {
        self.outbox = outbox
        self.settings = settings
        templates = try Self.builtIn.get()
    }

    /// Compiled once, for however many servers are in the process.
    private static let builtIn = Result {
        try PageTemplates([
            "layout": PageLayout.template, "settings": SettingsPage.template, "mail": MailPage.listTemplate,
            "message": MailPage.messageTemplate, "callback": CallbackPage.template,
        ])
    }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        func get(
            _ path: RouterPath, _ answer: @escaping @Sendable (Request, LatchkeyRequestContext) async throws -> Response
        ) {
            router.get(path, use: answer)
            routes.add(.get, path.description)
        }
        get("/dev") { _, _ in page("Settings", "settings", SettingsPage.Model(settings())) }
        get("/dev/settings.json") { _, _ in respond(settings().json.serialized(), "application/json") }
        get(RouterPath(CallbackPage.path)) { request, _ in
            page("Back in the app", "callback", try CallbackPage.Model(request))
        }
        get("/dev/mail") { _, _ in
            let messages = try await outbox.messages(limit: Self.shown)
            return page("Mail", "mail", MailPage.ListModel(messages: messages.map(MailPage.Message.init)))
        }
        get("/dev/mail.json") { request, _ in
            let recipient = request.uri.queryParameters["to"].map { String($0) }
            let messages = try await outbox.messages(to: recipient, limit: Self.shown)
            return respond(MailPage.json(messages).serialized(), "application/json")
        }
        get("/dev/mail/{id}") { _, context in
            let id = OutboxMessageID(context.parameters.get("id") ?? "")
            let message = try await outbox.message(id)
            return page(message.subject, "message", MailPage.Message(message))
        }
    }

    private func page(_ title: String, _ template: String, _ model: Any) -> Response {
        let content = templates.render(model, with: template)
        let html = templates.render(["title": title, "style": PageLayout.style, "content": content], with: "layout")
        return respond(Array(html.utf8), "text/html; charset=utf-8")
    }

    private func respond(_ bytes: [UInt8], _ type: String) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        if type.hasPrefix("text/html") {
            // Nothing runs, nothing is fetched; only the page's own style applies.
            headers[.contentSecurityPolicy] =
                "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'"
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
