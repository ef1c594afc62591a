# SPDX-License-Identifier: Apache-2.0
"""Apache's OpenID Connect module (Debian's libapache2-mod-auth-openidc) protects two sites by the provider: sign-in,
single sign-on, sign-out, and being asked again. Its verifier judges our logout tokens (OpenID Connect Back-Channel
Logout 1.0), so that a session that has ended here ends there.

Arguments: the server's URL, the executable, the database as `sqlite:PATH`, and two free ports."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from joserfc import jwt
from joserfc.jwk import RSAKey

from pages import Browser, Page
from support import BASE, http, settings, steps

EXECUTABLE, DATABASE = sys.argv[2:4]
PORTS = [int(port) for port in sys.argv[4:6]]
MODULES = pathlib.Path("/usr/lib/apache2/modules")
demo = settings()["demo"]
clients = {}

SERVER = """
ServerRoot "{place}"
ServerName localhost
PidFile "{place}/pid"
ErrorLog "{place}/error.log"
LogLevel warn auth_openidc:info
User www-data
Group www-data
LoadModule mpm_prefork_module {modules}/mod_mpm_prefork.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule headers_module {modules}/mod_headers.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
StartServers 2
{sites}
"""

SITE = """
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
  DocumentRoot "{place}/site"
  <Directory "{place}/site">
    Require all granted
  </Directory>
  OIDCProviderMetadataURL {base}/.well-known/openid-configuration
  OIDCClientID {clientId}
  OIDCClientSecret {clientSecret}
  OIDCRedirectURI http://127.0.0.1:{port}/oidc
  OIDCDefaultLoggedOutURL http://127.0.0.1:{port}/out.html
  OIDCCryptoPassphrase a-passphrase-of-this-test-{port}
  OIDCCookie session_{port}
  OIDCStateMaxNumberOfCookies 7 true
  OIDCScope "openid profile email"
  OIDCPKCEMethod S256
  OIDCResponseMode {mode}
  OIDCInfoHook userinfo id_token
  OIDCRemoteUserClaim sub
  <Location /private>
    AuthType openid-connect
    Require valid-user
    Header always set X-Signed-In "expr=%{{REMOTE_USER}}"
  </Location>
  <Location /oidc>
    AuthType openid-connect
    Require valid-user
  </Location>
</VirtualHost>
"""


def client(port):
    origin = f"http://127.0.0.1:{port}"
    done = subprocess.run(
        [EXECUTABLE, "client", "create", f"Site {port}", "--redirect-uri", origin + "/oidc", "--post-logout-uri",
         origin + "/out.html", "--backchannel-logout-uri", origin + "/oidc?logout=backchannel", "--first-party",
         "--json"],
        capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert done.returncode == 0, done.stderr
    return clients.setdefault(port, json.loads(done.stdout))


def site(port):
    return f"http://127.0.0.1:{port}"


def signed_in(page):
    """Who Apache says is signed in, on a page of the site."""
    assert isinstance(page, Page) and page.status == 200 and "/private/" in page.url, page
    assert "what only members see" in page.text, page
    return page.headers["X-Signed-In"]


def open_form_post(browser, page):
    """A person without scripts presses the button that a script would (OAuth 2.0 Form Post Response Mode)."""
    if isinstance(page, Page) and "code" in (page.forms[0]["fields"] if page.forms else {}):
        assert page.headers["Cache-Control"].startswith("no-store"), page.headers
        return browser.submit(page, page.forms[0])
    return page


def is_signed_in(port):
    """Whether the site lets the browser in by a session of its own."""
    reply = browser.session.get(site(port) + "/private/index.html", allow_redirects=False, timeout=30)
    assert reply.status_code in (200, 302), reply
    return reply.status_code == 200


def ended(port):
    """Waits for the site to have been told that its session is over."""
    for _ in range(300):
        if not is_signed_in(port):
            return True
        time.sleep(0.1)
    return False


def sign_in_at_both():
    for port in PORTS:
        page = open_form_post(browser, browser.open(site(port) + "/private/index.html"))
        if "/private/" not in page.url:
            page = open_form_post(browser, browser.sign_in(page, demo["email"], demo["password"]))
        signed_in(page)
    assert all(is_signed_in(port) for port in PORTS)


browser = Browser()
state = {}


def apache_sends_its_visitors_here_and_learns_who_they_are():
    start = browser.open(site(PORTS[0]) + "/private/index.html")
    assert start.url.startswith(BASE) and start.status == 200, start
    state["user"] = signed_in(browser.sign_in(start, demo["email"], demo["password"]))
    info = browser.session.get(site(PORTS[0]) + "/oidc?info=json", timeout=30).json()
    assert info["id_token"]["sub"] == info["userinfo"]["sub"] == info["id_token"]["sub"], info
    assert info["id_token"]["iss"] == BASE and info["userinfo"]["email"] == demo["email"], info
    assert state["user"].startswith(info["id_token"]["sub"]), (state, info)


def another_site_lets_them_in_without_a_page_by_a_posted_form():
    browser.seen.clear()
    page = open_form_post(browser, browser.open(site(PORTS[1]) + "/private/index.html"))
    assert signed_in(page).split("@")[0] == state["user"].split("@")[0]
    assert not any("/account/sign-in" in url for url in browser.seen), browser.seen


def who_signs_out_at_one_site_is_asked_again():
    out = site(PORTS[0]) + "/out.html"
    page = browser.open(site(PORTS[0]) + "/oidc?logout=" + out.replace(":", "%3A").replace("/", "%2F"))
    assert page.url.split("?")[0] == out and "signed out" in page.text, page
    page = browser.open(site(PORTS[0]) + "/private/index.html")
    assert page.url.startswith(BASE) and (page.form_with("password") or page.form_with("email")), page


def the_other_site_is_told_and_asks_again_too():
    assert ended(PORTS[1])


def what_an_administrator_ends_ends_at_both():
    sign_in_at_both()
    done = subprocess.run([EXECUTABLE, "api-key", "create", "walk", "--kind", "secret", "--scope", "admin:users",
                           "--json"],
                          capture_output=True, text=True, env=dict(os.environ, LATCHKEY_DATABASE=DATABASE))
    assert done.returncode == 0, done.stderr
    user = browser.session.get(site(PORTS[0]) + "/oidc?info=json", timeout=30).json()["id_token"]["sub"]
    status, _, answer = http("DELETE", f"/v1/admin/users/{user}/sessions",
                             headers={"X-API-Key": json.loads(done.stdout)["key"]})
    assert status == 200, (status, answer)
    assert ended(PORTS[0]) and ended(PORTS[1])


def who_makes_up_a_logout_token_ends_nothing():
    sign_in_at_both()
    claims = browser.session.get(site(PORTS[0]) + "/oidc?info=json", timeout=30).json()["id_token"]
    told = {"iss": BASE, "aud": clients[PORTS[0]]["clientId"], "iat": int(time.time()), "exp": int(time.time()) + 120,
            "jti": "made-up", "sub": claims["sub"], "sid": claims["sid"],
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}}}
    token = jwt.encode({"alg": "RS256"}, told, RSAKey.generate_key(2048))
    status, _, _ = http("POST", site(PORTS[0]) + "/oidc?logout=backchannel", raw=b"logout_token=" + token.encode(),
                        headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert status == 400, status
    assert is_signed_in(PORTS[0])


def a_stranger_is_let_in_nowhere():
    page = Browser().open(site(PORTS[1]) + "/private/index.html")
    assert page.url.startswith(BASE) and page.form_with("password") or page.form_with("email"), page
    # A code of nobody's, for a state of nobody's.
    answer = http("GET", site(PORTS[0]) + "/oidc?code=x&state=y")
    assert answer[0] >= 400, answer


with tempfile.TemporaryDirectory() as directory:
    place = pathlib.Path(directory)
    os.chmod(place, 0o755)
    (place / "site/private").mkdir(parents=True)
    (place / "site/private/index.html").write_text("<title>Members</title><p>what only members see</p>")
    (place / "site/out.html").write_text("<title>Out</title><p>signed out</p>")
    sites = "".join(
        SITE.format(port=port, place=place, base=BASE, mode=mode, **client(port))
        for port, mode in zip(PORTS, ("query", "form_post")))
    (place / "apache.conf").write_text(SERVER.format(place=place, modules=MODULES, sites=sites))
    # Apache that is told to end ends all of its process group: that must not be the one of everybody's tests.
    apache = subprocess.Popen(
        ["/usr/sbin/apache2", "-f", str(place / "apache.conf"), "-D", "FOREGROUND"], start_new_session=True)
    try:
        for _ in range(100):
            try:
                if http("GET", site(PORTS[0]) + "/out.html")[0] == 200:
                    break
            except OSError:
                time.sleep(0.1)
        steps(apache_sends_its_visitors_here_and_learns_who_they_are,
              another_site_lets_them_in_without_a_page_by_a_posted_form, who_signs_out_at_one_site_is_asked_again,
              the_other_site_is_told_and_asks_again_too, what_an_administrator_ends_ends_at_both,
              who_makes_up_a_logout_token_ends_nothing, a_stranger_is_let_in_nowhere)
    except BaseException:
        print((place / "error.log").read_text()[-4000:], file=sys.stderr)
        raise
    finally:
        apache.terminate()
        apache.wait()
