# SPDX-License-Identifier: Apache-2.0
"""Pictures of every account page of a running development server: see page-pictures."""

import base64
import hashlib
import hmac
import itertools
import json
import os
import pathlib
import secrets
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/LatchkeyTests/Clients"))
from chromium import Chromium  # noqa: E402
import support  # noqa: E402
from support import PASSWORD, http, settings  # noqa: E402

FOLDER, APP = pathlib.Path(sys.argv[2]), sys.argv[3]
# By this machine's name: no passkey is an address's.
BASE = support.BASE.replace("127.0.0.1", "localhost")
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
config = settings()


def mail(*arguments, **names):
    """A message, whose link is by the name that the pages are opened by."""
    found = support.mail(*arguments, **names)
    return dict(found, link=(found.get("link") or "").replace(support.BASE, BASE))


def authenticator(window):
    """One that verifies its user. It is taken away once it was used, or the browser would sign in by what it has."""
    window.send("WebAuthn.enable")
    return window.send("WebAuthn.addVirtualAuthenticator", options={
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True})["authenticatorId"]


def make_temporary(address):
    """Somebody with a password that an administrator chose."""
    status, _, body = http("POST", "/", {
        "UserPoolId": config["cognito"]["userPoolId"], "Username": address, "TemporaryPassword": PASSWORD,
        "MessageAction": "SUPPRESS",
        "UserAttributes": [{"Name": "email", "Value": address}, {"Name": "email_verified", "Value": "true"}],
    }, headers={
        "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": "AWSCognitoIdentityProviderService.AdminCreateUser", "X-Amz-Date": "20261122T000000Z",
        "Authorization": "AWS4-HMAC-SHA256 Credential=dev/20261122/us-east-1/cognito-idp/aws4_request, "
                         "SignedHeaders=host, Signature=00"})
    assert status == 200, body


def invite(address):
    """Somebody whom an operator asks in."""
    key = config["supabase"]["serviceRoleKey"]
    status, _, body = http("POST", "/auth/v1/invite", {"email": address}, headers={
        "apikey": key, "Authorization": "Bearer " + key})
    assert status == 200, body


def operate(*arguments):
    """A command of the operator's, over the running server's database."""
    subprocess.run([os.environ["PROGRAM"], *arguments, "--database", os.environ["DATABASE"]], check=True,
                   stdout=subprocess.DEVNULL)


def publish(version):
    """Terms that a sign-in demands, and a purpose that none does."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([
            {"name": "terms-of-service", "version": version, "demanded": True, "texts": {
                "en": {"title": "Terms of service", "url": "https://photos.example/terms"},
                "de": {"title": "Nutzungsbedingungen", "url": "https://photos.example/de/agb"}}},
            {"name": "newsletter", "version": "1", "kind": "purpose", "texts": {
                "en": {"title": "News about photography by mail"}, "de": {"title": "Neues über Fotografie per E-Mail"}}},
        ], file)
        file.flush()
        operate("terms", "publish", file.name)


def request(**parameters):
    """Where the app sends somebody."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 64).digest()).rstrip(b"=").decode()
    return BASE + "/oauth2/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": APP, "redirect_uri": BASE + "/back",
        "scope": "openid email profile offline_access", "state": "s", "code_challenge": challenge,
        "code_challenge_method": "S256", **parameters})


def device_code():
    """What a device shows."""
    status, _, body = http("POST", "/oauth2/device_authorization", raw=urllib.parse.urlencode(
        {"client_id": APP, "scope": "openid email"}).encode(),
        headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert status == 200, body
    return body


def app_code(key):
    """What an authenticator app shows now (RFC 6238)."""
    mac = hmac.new(base64.b32decode(key.replace(" ", "")), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    offset = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def walk(window, take):
    """Every page once, in an order in which a person could come to it."""
    name = secrets.token_hex(3)
    ada, temporary = f"ada-{name}@example.com", f"new-{name}@example.com"

    def sign_in(address):
        window.open(BASE + "/account/sign-in")
        window.fill("identifier", address)
        window.fill("password", PASSWORD)
        window.press()

    window.open(BASE + "/account/sign-in")
    take("sign-in")
    window.fill("identifier", ada)
    window.fill("password", "Wrong-horse-1")
    window.press()
    take("sign-in-refused")
    window.open(BASE + "/account/sign-up")
    take("sign-up")
    window.fill("identifier", "ada")
    window.fill("newPassword", "short")
    window.press()
    take("sign-up-refused")
    window.fill("identifier", ada)
    window.fill("newPassword", "password1")
    window.press()
    take("sign-up-weak")
    window.fill("newPassword", PASSWORD)
    window.press()
    take("confirm")
    window.fill("code", "000000")
    window.press()
    take("confirm-refused")
    window.open(mail(ada)["link"])
    take("link")
    window.press()
    take("account")
    window.open(request(prompt="select_account"))
    take("choose")
    window.press()
    take("consent")
    window.open(BASE + "/account/sign-in?" + window.url.split("?")[1])
    take("sign-in-for-app")
    window.open(request())
    window.press("button[value=allow]")
    window.open(BASE + "/account")
    take("account-with-app")
    window.open(request(prompt="login"))
    take("sign-in-again")
    device = device_code()
    window.open(device["verification_uri"].replace(support.BASE, BASE))
    take("device")
    window.fill("user_code", "BBBB-BBBB")
    window.press()
    take("device-refused")
    window.fill("user_code", device["user_code"])
    window.press()
    take("device-approve")
    window.press("button[value=allow]")
    take("device-done")
    for page in ["password", "profile", "email", "phone", "identities"]:
        window.open(BASE + "/account/" + page)
        take(page)
    for page in ["sessions", "consents", "delete", "deleted", "passkeys", "passkeys/new", "data"]:
        window.open(BASE + "/account/" + page)
        take(page.replace("/", "-"))
    window.press("form[action*='/data/export'] button")
    take("data-sent")
    window.open(mail(ada, kind="account_export")["link"])
    take("export")
    window.open(f"{BASE}/directories/acme/account/deleted?due=1")
    take("deleted-due")
    window.open(BASE + "/account/passkeys/new")
    key = authenticator(window)
    window.press(".passkey button")
    window.send("WebAuthn.removeVirtualAuthenticator", authenticatorId=key)
    take("passkeys-added")
    window.press("a[href*='/passkeys/name']")
    take("passkey-name")
    window.open(BASE + "/account/passkeys")
    window.press("a[href*='/passkeys/remove']")
    take("passkey-remove")
    window.open(mail(ada, kind="passkey_added")["link"])
    take("undo-passkey")
    window.open(BASE + "/account/factors/new")
    take("new-factor-kinds")
    window.open(BASE + "/account/factors/new?kind=webauthn")
    window.press()
    take("new-factor-key")
    window.open(BASE + "/account/factors/new?kind=totp")
    take("new-factor")
    window.press()
    take("new-factor-code")
    window.fill("code", app_code(window.value("document.querySelector('.key').innerText")))
    window.press()
    take("backup-codes")
    window.open(BASE + "/account/factors")
    take("factors")
    window.press("a[href*='/factors/remove']")
    take("remove-factor")
    window.open(BASE + "/account/sign-out")
    take("sign-out")
    window.press()
    take("signed-out")
    sign_in(ada)
    take("second-factor")
    window.fill("code", "12345")
    window.press()
    take("second-factor-refused")
    window.press("button[value=backup]")
    take("backup-code")
    window.press("button[value=passkey]")
    take("passkey-in-place")
    window.press("a[href*='lost-factor']")
    take("lost-factor")
    window.press()
    take("lost-factor-begun")
    window.open(mail(ada, kind="factor_recovery_begun")["link"])
    take("keep-factors")
    window.open(BASE + "/account/forgot")
    take("forgot")
    window.fill("identifier", ada)
    window.press()
    take("reset")
    window.open(mail(ada, kind="recovery")["link"])
    take("reset-by-link")
    make_temporary(temporary)
    sign_in(temporary)
    take("new-password")
    window.fill("newPassword", PASSWORD + "-2")
    window.press()
    window.open(BASE + "/account/sign-out")
    window.press()
    publish(name)
    window.open(BASE + "/account/sign-in")
    window.fill("identifier", temporary)
    window.fill("password", PASSWORD + "-2")
    window.press()
    take("terms")
    window.press("button[type=submit]")
    take("terms-refused")
    operate("terms", "demand", "terms-of-service", name, "--off")
    guest = f"a-guest-with-a-rather-long-name-{name}@mail.a-long-domain.example.com"
    invite(guest)
    window.open(mail(guest)["link"])
    take("invitation")
    window.open(BASE + "/account/nowhere")
    take("not-found")
    window.open(BASE + "/account/sign-in?request=nobodys")
    take("expired")
    window.open(BASE + "/account/link?token=x&purpose=sign_up")
    take("link-dead")
    window.open(BASE + "/account/reset?token=x&purpose=recovery")
    take("reset-dead")
    window.open(f"{BASE}/directories/acme/account/sign-in")
    take("branded")


FOLDER.mkdir(parents=True, exist_ok=True)
with Chromium() as browser:
    for language, scheme, (size, (width, height)) in itertools.product(["en", "de"], ["light", "dark"], SIZES.items()):
        window = browser.window(language=language, dark=scheme == "dark", width=width, height=height)
        walk(window, lambda page: window.picture(FOLDER / f"{page}-{language}-{scheme}-{size}.png"))
        assert not window.complaints(), window.complaints()
        window.close()
print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}")
