# SPDX-License-Identifier: Apache-2.0
"""Pages of other origins in a browser, with the headers that each vendor's JavaScript SDKs send.

Arguments: the server's URL, and a port whose pages at `app.example` the server was told to let in.
"""

import functools
import html
import http.server
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from support import BASE, PASSWORD, fresh_address, settings, steps

PORT = int(sys.argv[2])
NAMES = ["chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
assert BROWSER, "no browser: scripts/setup --tests installs one"
config = settings()

# One call after the other; what a call gives is used by the next. `headers` of an outcome are those that a page may read.
SCRIPT = """
const outcomes = {}
async function call(name, path, method, headers, body, more) {
  try {
    const answer = await fetch(BASE + path, { method, headers, body, ...more })
    const text = await answer.text()
    outcomes[name] = { status: answer.status, headers: Object.fromEntries(answer.headers), text }
    try { return JSON.parse(text) } catch { return {} }
  } catch (error) { outcomes[name] = { error: String(error) }; return {} }
}
async function supabase() {
  const key = CONFIG.supabase.anonKey
  const headers = { apikey: key, Authorization: 'Bearer ' + key, 'X-Client-Info': 'supabase-js-web/2.58.0',
    'X-Supabase-Api-Version': '2024-01-01', 'Content-Type': 'application/json;charset=UTF-8', 'x-my-own-app': '1' }
  const auth = '/auth/v1'
  await call('supabase sign-up', auth + '/signup', 'POST', headers, JSON.stringify({ email: EMAIL, password: PASSWORD }))
  const signedIn = await call('supabase sign-in', auth + '/token?grant_type=password', 'POST', headers,
    JSON.stringify({ email: CONFIG.demo.email, password: CONFIG.demo.password }))
  const own = { ...headers, Authorization: 'Bearer ' + signedIn.access_token }
  await call('supabase user', auth + '/user', 'GET', own)
  await call('supabase update', auth + '/user', 'PUT', own, JSON.stringify({ data: { colour: 'green' } }))
  await call('supabase refusal', auth + '/user', 'GET', headers)
  await call('supabase users', auth + '/admin/users', 'GET',
    { ...headers, apikey: CONFIG.supabase.serviceRoleKey, Authorization: 'Bearer ' + CONFIG.supabase.serviceRoleKey })
  await call('app profile', '/v1/me', 'GET', { Authorization: 'Bearer ' + signedIn.access_token,
    'X-Device-Name': 'browser', 'X-Own-Header': 'none', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
  await call('app activities', '/v1/activities', 'GET', { Authorization: 'Bearer ' + signedIn.access_token,
    'Cache-Control': 'no-cache', 'Idempotency-Key': 'x' })
}
async function cognito() {
  const target = 'AWSCognitoIdentityProviderService.'
  const amplify = name => ({ 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target + name,
    'cache-control': 'no-store', 'x-amz-user-agent': 'aws-amplify/6.15.0 auth/4 framework/1' })
  const clientID = CONFIG.cognito.clientId
  const signedIn = await call('amplify sign-in', '/', 'POST', amplify('InitiateAuth'), JSON.stringify({
    AuthFlow: 'USER_PASSWORD_AUTH', ClientId: clientID,
    AuthParameters: { USERNAME: CONFIG.demo.email, PASSWORD: CONFIG.demo.password } }))
  await call('amplify user', '/', 'POST', amplify('GetUser'),
    JSON.stringify({ AccessToken: signedIn.AuthenticationResult?.AccessToken }))
  await call('amplify refusal', '/', 'POST', amplify('InitiateAuth'), JSON.stringify({
    AuthFlow: 'USER_PASSWORD_AUTH', ClientId: clientID, AuthParameters: { USERNAME: EMAIL, PASSWORD: 'Wrong-1-wrong' } }))
  await call('aws-sdk pool', '/', 'POST', { 'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': target + 'DescribeUserPool', 'x-amz-user-agent': 'aws-sdk-js/3.900.0',
    'amz-sdk-invocation-id': 'f4ba3d0c-0b1a-4b0f-8a5e-2d7a1c1f2b3d', 'amz-sdk-request': 'attempt=1; max=3',
    'x-amz-date': '20261122T000000Z', 'x-amz-content-sha256': '00', 'x-amz-security-token': 'x',
    authorization: 'AWS4-HMAC-SHA256 Credential=dev/20261122/us-east-1/cognito-idp/aws4_request, SignedHeaders=host, Signature=00' },
    JSON.stringify({ UserPoolId: CONFIG.cognito.userPoolId }))
  await call('cognito keys', '/' + CONFIG.cognito.userPoolId + '/.well-known/jwks.json', 'GET', { 'x-none': '1' })
}
async function firebase() {
  const [rest, key] = ['/identitytoolkit.googleapis.com/v1', '?key=' + CONFIG.firebase.apiKey]
  const headers = { 'Content-Type': 'application/json', 'X-Client-Version': 'Chrome/JsCore/11.9.0/FirebaseCore-web',
    'X-Firebase-Client': 'eyJ2ZXJzaW9uIjoyfQ', 'X-Firebase-gmpid': '1:1:web:1', 'X-Firebase-AppCheck': 'x',
    'X-Firebase-Locale': 'de' }
  const more = { referrerPolicy: 'no-referrer' }
  await call('firebase sign-up', rest + '/accounts:signUp' + key, 'POST', headers,
    JSON.stringify({ returnSecureToken: true }), more)
  const signedIn = await call('firebase sign-in', rest + '/accounts:signInWithPassword' + key, 'POST', headers,
    JSON.stringify({ email: CONFIG.demo.email, password: CONFIG.demo.password, returnSecureToken: true }), more)
  await call('firebase lookup', rest + '/accounts:lookup' + key, 'POST', headers,
    JSON.stringify({ idToken: signedIn.idToken }), more)
  await call('firebase refresh', '/securetoken.googleapis.com/v1/token' + key, 'POST',
    { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    'grant_type=refresh_token&refresh_token=' + encodeURIComponent(signedIn.refreshToken), more)
  await call('firebase refusal', rest + '/accounts:lookup' + key, 'POST', headers, '{}', more)
}
async function walls() {
  await call('development settings', '/dev/settings.json', 'GET', {})
  await call('development mail', '/dev/mail.json', 'GET', { 'x-none': '1' })
  await call('with credentials', '/auth/v1/health', 'GET', { apikey: CONFIG.supabase.anonKey }, undefined,
    { credentials: 'include' })
}
(async () => {
  for (const part of [supabase, cognito, firebase, walls]) await part()
  document.getElementById('outcomes').textContent = JSON.stringify(outcomes)
})()
"""


def page():
    given = {"BASE": BASE, "CONFIG": config, "EMAIL": fresh_address("browser"), "PASSWORD": PASSWORD}
    text = "".join(f"const {name} = {json.dumps(value)}\n" for name, value in given.items())
    return f"<!doctype html><meta charset=utf-8><pre id=outcomes></pre><script>{text}{SCRIPT}</script>"


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        content = page().encode() if self.path == "/" else b""
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


@functools.cache
def outcomes(host):
    """What a page at this name was answered, as the browser let it see."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        result = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}", "--host-resolver-rules=MAP *.example 127.0.0.1",
             "--virtual-time-budget=60000", "--dump-dom", f"http://{host}:{PORT}/"],
            capture_output=True, text=True, timeout=400)
    found = re.search(r"<pre id=\"outcomes\">(.+?)</pre>", result.stdout, re.DOTALL)
    assert found, (host, result.stdout[-2000:], result.stderr[-2000:])
    return json.loads(html.unescape(found.group(1)))


WALLS = ["development settings", "development mail", "with credentials"]
REFUSALS = {"supabase refusal": 403, "amplify refusal": 400, "firebase refusal": 400}


def every_dialect_answers(host):
    got = outcomes(host)
    for name, outcome in got.items():
        if name not in WALLS:
            assert outcome.get("status") == REFUSALS.get(name, 200), (host, name, outcome)


def a_developers_own_page_calls_every_dialect():
    every_dialect_answers("localhost")


def a_page_of_a_site_that_is_let_in_calls_every_dialect():
    every_dialect_answers("app.example")


def what_sdks_read_of_answers_can_be_read():
    got = outcomes("localhost")
    assert got["amplify refusal"]["headers"]["x-amzn-errortype"].startswith("NotAuthorizedException"), got
    assert got["amplify refusal"]["headers"]["x-amzn-requestid"] and got["amplify sign-in"]["headers"]["date"], got
    assert got["supabase refusal"]["headers"]["x-supabase-api-version"] and \
        got["supabase refusal"]["headers"]["x-sb-error-code"], got["supabase refusal"]
    assert int(got["supabase users"]["headers"]["x-total-count"]) > 0, got["supabase users"]["headers"]


def development_pages_and_calls_with_credentials_stay_closed():
    for host in ["localhost", "app.example"]:
        for name in WALLS:
            assert "error" in outcomes(host)[name], (host, name, outcomes(host)[name])


def a_page_of_any_other_site_is_answered_nothing():
    for name, outcome in outcomes("evil.example").items():
        assert "error" in outcome, (name, outcome)


server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
steps(a_developers_own_page_calls_every_dialect, a_page_of_a_site_that_is_let_in_calls_every_dialect,
      what_sdks_read_of_answers_can_be_read, development_pages_and_calls_with_credentials_stay_closed,
      a_page_of_any_other_site_is_answered_nothing)
