# SPDX-License-Identifier: Apache-2.0
"""G-6, G-9, G-10: the account's life. A second factor set up, asked for, shown once more; devices seen and signed out; what is
held about the user; the end of the account."""

import re

from .authenticator import Authenticator
from .browser import Browser
from .support import PASSWORD, Device, expect, fresh_address


def supabase(server):
    device, address = Device(server, "supabase"), fresh_address("life")
    device.says("sign-up", "--email", address, typed=[PASSWORD])
    device.does("confirm", "--email", address, "--code", server.mail(address)["code"])
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    app = enrolled(device)
    # The session was raised by it, and is now what codes may be made in.
    codes = device.says("factor", "backup-codes")["codes"]
    expect(len(codes) == 10, f"{len(codes)} backup codes")
    asked_for(device, address, app)
    expect(device.says("verify", typed=[app.code()])["verified"], "not verified in the session that is there")
    device.does("sign-out")
    device.does("sign-in", "--email", address, "--backup-code", typed=[PASSWORD, codes[0]])
    device.refuses("verify", "--backup-code", typed=[codes[0]], about="verify", error="factor_code_invalid")
    devices(server, device, "supabase", address, codes[1])
    ended(server, device, address)
    # One can be taken away by whoever has shown it.
    again(server)


def again(server):
    device, address = Device(server, "supabase"), fresh_address("life")
    device.says("sign-up", "--email", address, typed=[PASSWORD])
    device.does("confirm", "--email", address, "--code", server.mail(address)["code"])
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    enrolled(device)
    device.does("factor", "remove", listed(device)[0]["id"])
    device.does("sign-out")
    device.does("sign-in", "--email", address, typed=[PASSWORD])


def password(server):
    device, address = Device(server, "cognito-password"), fresh_address("life")
    device.says("sign-up", "--email", address, typed=[PASSWORD])
    device.does("confirm", "--email", address, "--code", server.mail(address)["code"])
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    app = enrolled(device)
    asked_for(device, address, app)
    # This service raises no session that is there: the user signs in anew.
    expect(device.says("verify", typed=[PASSWORD, app.code()])["verified"], "not verified by a new sign-in")
    ended(server, device, address)


def remembered(server):
    """A pool that remembers devices: one that has shown a second factor is not asked for it again, until it is forgotten."""
    pool = server.cognito("CreateUserPool", PoolName="Devices " + fresh_address("pool"), DeviceConfiguration={
        "ChallengeRequiredOnNewDevice": True, "DeviceOnlyRememberedOnUserPrompt": False})["UserPool"]["Id"]
    client = server.cognito(
        "CreateUserPoolClient", UserPoolId=pool, ClientName="yoga",
        ExplicitAuthFlows=["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])["UserPoolClient"]["ClientId"]
    server.cognito("SetUserPoolMfaConfig", UserPoolId=pool, MfaConfiguration="OPTIONAL",
                   SoftwareTokenMfaConfiguration={"Enabled": True})
    address = fresh_address("device")
    server.cognito("AdminCreateUser", UserPoolId=pool, Username=address, MessageAction="SUPPRESS", UserAttributes=[
        {"Name": "email", "Value": address}, {"Name": "email_verified", "Value": "true"}])
    server.cognito("AdminSetUserPassword", UserPoolId=pool, Username=address, Password=PASSWORD, Permanent=True)

    def known():
        return server.cognito("AdminListDevices", UserPoolId=pool, Username=address)["Devices"]

    flags = ("--user-pool-id", pool, "--client-id", client, "--issuer",
             server.settings["cognito"]["endpoint"].rstrip("/") + "/" + pool)
    device, signed_in = Device(server, "cognito-password", *flags), ("sign-in", "--email", address)
    device.does(*signed_in, typed=[PASSWORD])
    app = enrolled(device)
    # It was confirmed before there was a factor, and spares none; once one was shown on it, it does.
    asks(device, signed_in, app)
    device.does("sign-out")
    device.does(*signed_in, typed=[PASSWORD])
    device.does("token", "--anew")
    [one] = known()
    expect({"Name": "device_name", "Value": "Yoga in a terminal"} in one["DeviceAttributes"], f"no name in {one}")
    asks(Device(server, "cognito-password", *flags), signed_in, app)
    expect(len(known()) == 2, "not two devices")
    device.does("device", "forget")
    device.does("token", "--anew")
    device.refuses("device", "forget", error="device_not_found")
    expect(len(known()) == 1, "the device is there still")
    asks(device, signed_in, app)
    # By the operator, of which the device hears at its next sign-in.
    for each in known():
        server.cognito("AdminForgetDevice", UserPoolId=pool, Username=address, DeviceKey=each["DeviceKey"])
    asks(device, signed_in, app)
    device.does("sign-out")
    device.does(*signed_in, typed=[PASSWORD])


def asks(device, signed_in, app):
    """For the second factor, beside the password."""
    device.does("sign-out")
    expect("The code is read" in device.lacks(*signed_in, typed=[PASSWORD]), "no code is asked for")
    device.does(*signed_in, typed=[PASSWORD, app.code()])


def firebase(server):
    device, address = Device(server, "firebase"), fresh_address("life")
    device.says("sign-up", "--email", address, typed=[PASSWORD])
    device.refuses("factor", "add", error="email_not_verified")
    device.does("confirm", "--email", address, "--resend")
    code = re.search(r"oobCode=([^&]+)", server.mail(address)["link"])[1]
    device.does("confirm", "--email", address, "--code", code)
    device.does("sign-in", "--email", address, typed=[PASSWORD])
    app = enrolled(device)
    asked_for(device, address, app)
    expect(device.says("verify", typed=[PASSWORD, app.code()])["verified"], "not verified by a new sign-in")
    ended(server, device, address)


def openid(server):
    """On the server's own pages the factor is the pages' to ask for; the rest is the app's."""
    device, address = Device(server, "latchkey"), fresh_address("life")
    server.cognito("AdminCreateUser", Username=address, MessageAction="SUPPRESS", UserAttributes=[
        {"Name": "email", "Value": address}, {"Name": "email_verified", "Value": "true"}])
    server.cognito("AdminSetUserPassword", Username=address, Password=PASSWORD, Permanent=True)
    device.signs_in(browser=Browser(person=(address, PASSWORD)))
    sessions = listed(device, "sessions")
    # The browser's own is there too.
    expect(sum(each["current"] for each in sessions) == 1, f"not one that is this device's in {sessions}")
    device.refuses("factor", "add", error="unsupported")
    ended(server, device, address)


def listed(device, *command):
    found = device.says(*(command or ("factor", "list")))
    return [each for each in (found if isinstance(found, list) else [found]) if "id" in each]


def enrolled(device):
    """Sets an authenticator app up: its first code is typed once its secret was shown."""
    apps = []

    def first_code(shown):
        expect(shown["uri"].startswith("otpauth://totp/") and shown["secret"] in shown["uri"], f"no address in {shown}")
        apps.append(Authenticator(shown["secret"]))
        return apps[0].code()

    device.answers("factor", "add", "--name", "phone", by=first_code)
    expect([each["kind"] for each in listed(device)] == ["authenticator"], "no authenticator app in the list")
    return apps[0]


def asked_for(device, address, app):
    device.does("sign-out")
    wrong = ("sign-in", "--email", address)
    device.refuses(*wrong, typed=[PASSWORD, app.wrong()], about="sign-in", error="factor_code_invalid")
    device.is_signed_out()
    device.does("sign-in", "--email", address, typed=[PASSWORD, app.code()])
    expect(device.says("me")["email"] == address, "not who signed in")


def devices(server, device, provider, address, code):
    """Another device is seen, and out once it is ended."""
    other = Device(server, provider)
    other.does("sign-in", "--email", address, "--backup-code", typed=[PASSWORD, code])
    others = [each["id"] for each in listed(device, "sessions") if not each["current"]]
    expect(others, "the other device is not in the list")
    for each in others:
        device.does("revoke", each)
    other.refuses("me", error="tokens_revoked")
    device.does("me")


def ended(server, device, address):
    expect(device.says("export")["requested"], "nothing is exported")
    expect("/account/export" in server.mail(address)["link"], "no link to what is held")
    meaning = device.says("delete-account")
    expect("profile" in meaning["erased"], f"not what goes, but {meaning}")
    device.does("me")
    expect(device.says("delete-account", "--yes")["deleted"], "not deleted")
    device.is_signed_out()
