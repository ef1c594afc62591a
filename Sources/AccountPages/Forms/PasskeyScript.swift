// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird
import ServerKit

/// The one script of the pages: it asks the browser's authenticator, and sends what that answers by a form. Pages that
/// need no authenticator have none, and those that do are of use without it for everything else.
enum PasskeyScript {
    static let path = "/passkey.js"
    /// SHA-256 of the text, in Base64.
    static let hash = Base64.encode(Array(SHA256.hash(data: Array(text.utf8))))
    private static let versionName = "v"

    static func get(_ call: PageCall) async throws -> Response {
        var headers: HTTPFields = [.contentType: "text/javascript; charset=utf-8"]
        // Its address changes with its text.
        let isThisOne = call.query[versionName] == version
        headers[.cacheControl] = isThisOne ? "public, max-age=31536000, immutable" : "no-store"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    static func place(_ call: PageCall) -> (url: String, hash: String) {
        ("\(AccountPlace.path(of: call.directory))\(path)?\(versionName)=\(version)", hash)
    }

    private static let version = String(Hex.encode(SHA256.hash(data: Array(text.utf8))).prefix(16))

    /// Conversions are its own: `parseRequestOptionsFromJSON()` and `toJSON()` are younger than passkeys are.
    private static let text = #"""
        // SPDX-License-Identifier: Apache-2.0
        'use strict';
        (() => {
          const form = document.querySelector('form[data-passkey]')
          if (!form || !window.PublicKeyCredential) return
          const block = form.querySelector('.passkey')
          const button = block.querySelector('button')
          const said = block.querySelector('[role=alert]')
          const makes = form.dataset.passkey === 'create'
          let latest

          const octets = text =>
            Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt(0))
          const written = buffer =>
            btoa(Array.from(new Uint8Array(buffer), octet => String.fromCharCode(octet)).join(''))
              .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
          const named = list => (list || []).map(one => ({ ...one, id: octets(one.id) }))

          const question = async signal => {
            const body = new URLSearchParams({ formToken: form.querySelector('[name=formToken]').value })
            const answer = await fetch(form.dataset.question, { method: 'POST', body, signal })
            // What was proved is too old by now: where it is proved anew leads back here.
            if (answer.redirected) location.assign(answer.url)
            if (!answer.ok || answer.redirected) throw new Error('refused')
            return answer.json()
          }

          const wanted = options => makes
            ? { ...options, challenge: octets(options.challenge),
                user: { ...options.user, id: octets(options.user.id) },
                excludeCredentials: named(options.excludeCredentials) }
            : { ...options, challenge: octets(options.challenge), allowCredentials: named(options.allowCredentials) }

          const answered = credential => {
            const response = {}
            for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'])
              if (credential.response[name]) response[name] = written(credential.response[name])
            if (credential.response.getTransports) response.transports = credential.response.getTransports()
            return JSON.stringify({ id: credential.id, rawId: written(credential.rawId), type: credential.type,
              response, clientExtensionResults: credential.getClientExtensionResults() })
          }

          // By a form of its own: what was typed as a password goes nowhere.
          const send = more => {
            const copy = document.createElement('form')
            const fields = new FormData(form)
            for (const secret of form.querySelectorAll('[type=password]')) fields.delete(secret.name)
            for (const name in more) fields.set(name, more[name])
            for (const [name, value] of fields) {
              const input = document.createElement('input')
              input.type = 'hidden'
              input.name = name
              input.value = value
              copy.append(input)
            }
            copy.method = 'post'
            copy.action = form.getAttribute('action')
            copy.hidden = true
            document.body.append(copy)
            copy.submit()
          }

          const ask = async mediation => {
            if (latest) latest.abort()
            const control = latest = new AbortController()
            const { challenge, options } = await question(control.signal)
            const publicKey = wanted(options)
            if (mediation) setTimeout(() => latest === control && again(), options.timeout * 0.8)
            const credential = makes
              ? await navigator.credentials.create({ publicKey, signal: control.signal })
              : await navigator.credentials.get({ publicKey, signal: control.signal, ...(mediation && { mediation }) })
            latest = undefined
            send({ challenge, answer: answered(credential) })
          }

          // Among what the browser fills in. Nobody is told where nothing comes of it: nobody has asked.
          const offer = async () => {
            if (!('autofill' in form.dataset) || !PublicKeyCredential.isConditionalMediationAvailable) return
            if (await PublicKeyCredential.isConditionalMediationAvailable()) await ask('conditional').catch(() => {})
          }
          const again = () =>
            document.hidden ? document.addEventListener('visibilitychange', again, { once: true }) : offer()

          button.addEventListener('click', async event => {
            event.preventDefault()
            if (button.getAttribute('aria-busy') === 'true') return
            button.setAttribute('aria-busy', 'true')
            said.textContent = ''
            try {
              await ask()
            } catch (error) {
              said.textContent = error.name === 'InvalidStateError' ? said.dataset.known
                : error.name === 'NotAllowedError' || error.name === 'AbortError' ? said.dataset.stopped
                : said.dataset.failed
              offer()
            }
            button.removeAttribute('aria-busy')
          })

          for (const element of form.querySelectorAll('.without')) element.hidden = true
          block.hidden = false
          offer()
        })()

        """#
}
