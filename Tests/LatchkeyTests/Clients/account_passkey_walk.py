# SPDX-License-Identifier: Apache-2.0
"""Passkeys and security keys on the account's pages, what their mails undo, and the end of an account, in a browser with an
authenticator of its own (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn).

Argument: the server's URL, by an address; the pages are opened by this machine's name, since no passkey is an address's.
"""

import time
import urllib.parse

from accessible import CheckedWindow
from chromium import Chromium
from support import BASE, PASSWORD, fresh_address, mail, steps

HERE = f"http://localhost:{urllib.parse.urlsplit(BASE).port}"
ADA = fresh_address("ada")
NEW_PASSWORD = "Another-horse-8-battery"
state = {}
browser = Chromium()
window = CheckedWindow(browser, HERE)


def authenticator(window, transport="internal"):
    """One that verifies its user, and is always touched."""
    window.send("WebAuthn.enable")
    return window.send("WebAuthn.addVirtualAuthenticator", options={
        "protocol": "ctap2", "transport": transport, "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True})["authenticatorId"]


def touch(isOn):
    """Whether the authenticator answers what it is asked from now on."""
    window.send("WebAuthn.setAutomaticPresenceSimulation", authenticatorId=state["internal"], enabled=isOn)


def link(kind, newer_than=None):
    """A mail's link, by the name that the browser knows the server by."""
    return mail(ADA, kind=kind, newer_than=newer_than)["link"].replace(BASE, HERE)


def shown(selector):
    return window.value(f"!!document.querySelector({selector!r}) && document.querySelector({selector!r}).getClientRects().length > 0")


def sign_out():
    window.open(HERE + "/account/sign-out")
    window.press()
    assert window.heading == "You are signed out", window.text


def sign_in(password=PASSWORD):
    window.open(HERE + "/account/sign-in")
    window.fill("identifier", ADA)
    window.fill("password", password)
    window.press()


def somebody_adds_a_passkey_and_gives_it_a_name():
    window.open(HERE + "/account/sign-up")
    window.fill("identifier", ADA)
    window.fill("newPassword", PASSWORD)
    window.press()
    window.fill("code", mail(ADA)["code"])
    window.press()
    assert window.heading == "Your account", window.text
    window.press("a[href$='/passkeys']")
    assert window.heading == "Passkeys" and "You have no passkeys." in window.text, window.text
    window.press("a[href$='/passkeys/new']")
    assert shown(".passkey button") and not shown(".without"), window.text
    state["internal"] = authenticator(window)
    window.press(".passkey button")
    assert window.heading == "Passkeys" and "Your passkey is set up" in window.text, window.text
    kept = window.send("WebAuthn.getCredentials", authenticatorId=state["internal"])["credentials"]
    assert len(kept) == 1 and kept[0]["rpId"] == "localhost" and kept[0]["isResidentCredential"], kept
    window.press("a[href*='/passkeys/name']")
    assert window.has_focus("name") or window.value("document.activeElement.name") == "name", window.text
    window.fill("name", "My laptop")
    window.press()
    assert "My laptop" in window.text and "was renamed" in window.text, window.text


def the_same_device_is_not_set_up_twice_and_says_so():
    window.open(HERE + "/account/passkeys/new")
    window.value("document.querySelector('.passkey button').click()")
    wait("document.querySelector('.passkey [role=alert]').textContent")
    assert "set up for your account already" in window.text, window.text
    window.look()


def wait(script):
    """Until the page says something."""
    answer = window.send("Runtime.evaluate", awaitPromise=True, returnByValue=True, expression=f"""
        new Promise(answer => {{
          const end = performance.now() + 20000
          const look = () => {script} ? answer(true) : performance.now() > end ? answer(false) : setTimeout(look, 20)
          look()
        }})""")
    assert answer["result"]["value"], (script, window.text)


def they_sign_in_by_it_alone():
    touch(False)
    sign_out()
    window.open(HERE + "/account/sign-in")
    field = window.value("document.querySelector('#identifier').autocomplete")
    assert field == "username webauthn", field
    assert shown(".passkey button"), window.text
    touch(True)
    window.press(".passkey button")
    assert window.heading == "Your account" and ADA in window.text, window.text


def the_browser_offers_it_among_what_it_fills_in():
    sign_out()
    # Nothing is pressed: the authenticator answers what the page has the browser offer.
    window.checks = False
    window.open(HERE + "/account/sign-in")
    for _ in range(100):
        if window.heading == "Your account":
            break
        time.sleep(0.1)
    window.checks = True
    assert window.heading == "Your account" and ADA in window.text, window.text
    touch(False)


def where_the_script_does_not_run_nothing_is_offered_and_the_password_does():
    sign_out()
    plain = CheckedWindow(browser, HERE)
    plain.send("Emulation.setScriptExecutionDisabled", value=True)
    plain.checks = False
    plain.open(HERE + "/account/sign-in")
    # The protocol's own questions are asked outside of the page.
    assert not plain.value("document.querySelector('.passkey').getClientRects().length"), plain.text
    plain.fill("identifier", ADA)
    plain.fill("password", PASSWORD)
    plain.press("main form button")
    assert plain.heading == "Your account", plain.text
    plain.open(HERE + "/account/passkeys/new")
    assert "This needs JavaScript" in plain.text, plain.text
    plain.close()


def what_goes_wrong_is_said_and_everything_else_still_works():
    window.open(HERE + "/account/sign-in")
    window.send("Network.setBlockedURLs", urls=["*/sign-in/passkey*"])
    window.value("document.querySelector('.passkey button').click()")
    wait("document.querySelector('.passkey [role=alert]').textContent")
    assert "That did not work." in window.text, window.text
    window.look()
    window.send("Network.setBlockedURLs", urls=[])
    window.fill("identifier", ADA)
    window.fill("password", PASSWORD)
    window.press()
    assert window.heading == "Your account", window.text


def a_security_key_is_a_second_factor():
    window.send("WebAuthn.removeVirtualAuthenticator", authenticatorId=state["internal"])
    state["usb"] = authenticator(window, "usb")
    window.open(HERE + "/account/factors/new?kind=webauthn")
    window.press()
    window.press(".passkey button")
    assert window.heading == "Backup codes", window.text
    window.press("main a.button")
    assert "Security key" in window.text, window.text
    sign_out()
    sign_in()
    assert window.heading == "Confirm that it is you", window.text
    window.press(".passkey button")
    assert window.heading == "Your account", window.text


def every_list_has_its_page():
    for path, heading in [("sessions", "Where you are signed in"), ("data", "Data and privacy")]:
        window.open(f"{HERE}/account/{path}")
        assert window.heading == heading, window.text
    window.press("form[action$='/data/export'] button")
    assert "We have sent you a link" in window.text, window.text
    window.open(link("account_export"))
    assert "everything" in window.text.lower() or "data" in window.heading.lower(), window.text


def whoever_did_not_add_the_passkey_takes_it_away_by_the_mail():
    other = CheckedWindow(browser, HERE)
    other.open(link("passkey_added"))
    assert other.heading == "Was that not you?" and ADA in other.text, other.text
    other.press()
    assert other.heading == "Choose a new password" and "was removed" in other.text, other.text
    other.fill("newPassword", NEW_PASSWORD)
    other.press()
    # There is the key still.
    assert other.heading == "Confirm that it is you", other.text
    other.open(link("passkey_added"))
    assert other.title.startswith("Error: "), other.text
    assert not other.complaints(), other.complaints()
    other.close()
    window.open(HERE + "/account")
    assert window.heading == "Sign in", window.text
    sign_in(NEW_PASSWORD)
    window.press(".passkey button")
    window.open(HERE + "/account/passkeys")
    assert "You have no passkeys." in window.text, window.text


def they_delete_their_account():
    window.open(HERE + "/account/data")
    window.press("a[href$='/delete']")
    assert window.heading == "Delete your account?" and ADA in window.text, window.text
    window.press("button.grave")
    assert window.heading == "Your account is deleted", window.text
    sign_in(NEW_PASSWORD)
    assert window.title.startswith("Error: "), window.text


def every_page_was_measured_and_the_browser_has_nothing_to_complain_of():
    seen = {page for page, _ in window.seen}
    assert seen >= {"/account" + path for path in [
        "", "/sign-in", "/passkeys", "/passkeys/new", "/passkeys/name", "/factors/confirm", "/second-factor", "/sessions",
        "/data", "/delete", "/deleted"]}, seen
    # What was blocked on purpose is logged.
    rest = [each for each in window.complaints() if "ERR_BLOCKED_BY_CLIENT" not in each]
    assert not rest, rest


with browser:
    steps(somebody_adds_a_passkey_and_gives_it_a_name, the_same_device_is_not_set_up_twice_and_says_so,
          they_sign_in_by_it_alone, the_browser_offers_it_among_what_it_fills_in, where_the_script_does_not_run_nothing_is_offered_and_the_password_does,
          what_goes_wrong_is_said_and_everything_else_still_works, a_security_key_is_a_second_factor,
          every_list_has_its_page, whoever_did_not_add_the_passkey_takes_it_away_by_the_mail,
          they_delete_their_account, every_page_was_measured_and_the_browser_has_nothing_to_complain_of)
