# SPDX-License-Identifier: Apache-2.0
"""What browsers write on behalf of pages of other sites, and of a developer's own, sent to a development server."""

import http.client
import json
import urllib.parse

from support import BASE, PASSWORD, fresh_address, settings, steps

config = settings()
anon = config["supabase"]["anonKey"]
address = urllib.parse.urlparse(BASE).netloc
PROJECT, KEY = config["firebase"]["projectId"], config["firebase"]["apiKey"]
POOL = config["cognito"]["userPoolId"]


def send(method, path, body=None, host=address, **headers):
    """Status, headers and content of a request with exactly these fields."""
    connection = http.client.HTTPConnection(address, timeout=30)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", host)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    content = json.dumps(body).encode() if body is not None else b""
    if body is not None:
        connection.putheader("Content-Length", str(len(content)))
    connection.endheaders(content or None)
    answer = connection.getresponse()
    received = {name.lower(): value for name, value in answer.headers.items()}
    return answer.status, received, answer.read()


def attempts(email):
    """What a page would send to look around, to sign up and to administer, without asking first or after asking."""
    return [
        ("GET", "/dev/settings.json", None, {}),
        ("GET", "/dev/mail.json", None, {}),
        ("GET", "/health/live", None, {}),
        ("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD}, {"apikey": anon}),
        # Text is what a form can send, without a preflight.
        ("POST", f"/identitytoolkit.googleapis.com/v1/accounts:signUp?key={KEY}",
         {"email": email, "password": PASSWORD}, {"Content_Type": "text/plain"}),
        ("POST", f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts",
         {"email": email, "password": PASSWORD}, {"Authorization": "Bearer owner"}),
        ("POST", "/", {"UserPoolId": POOL, "Username": email},
         {"X_Amz_Target": "AWSCognitoIdentityProviderService.AdminCreateUser",
          "Content_Type": "application/x-amz-json-1.1",
          "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/cognito-idp/aws4_request, "
                           "SignedHeaders=host, Signature=00"}),
    ]


def users():
    status, _, body = send("GET", "/auth/v1/admin/users?per_page=1000", apikey=config["supabase"]["serviceRoleKey"],
                           Authorization="Bearer " + config["supabase"]["serviceRoleKey"])
    assert status == 200, status
    return {user["email"] for user in json.loads(body)["users"]}


def refused(label, host=address, **headers):
    email = fresh_address("drive-by")
    for method, path, body, more in attempts(email):
        status, received, content = send(method, path, body, host, **more, **headers)
        assert status == 403 and json.loads(content)["error"] == "foreign_caller", (label, path, status, content)
        assert "access-control-allow-origin" not in received, (label, path)
        status, received, _ = send("OPTIONS", path, None, host, Access_Control_Request_Method=method, **headers)
        assert status == 403 and "access-control-allow-origin" not in received, (label, path, status)
    assert email not in users(), label


def a_name_bound_anew_to_the_loopback_is_refused():
    for host in ["evil.example", "evil.example:" + address.split(":")[1], "localhost.evil.example", "192.0.2.1"]:
        refused(host, host=host)
        # To a browser that is the page's own server.
        refused(host, host=host, Origin=f"http://{host}", Sec_Fetch_Site="same-origin")


def a_page_of_another_site_is_refused():
    for origin in ["https://evil.example", "http://localhost.evil.example", "http://192.168.0.10:3000", "null",
                   "chrome-extension://abcdefghijklmnop"]:
        refused(origin, Origin=origin)
        refused(origin, Origin=origin, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="cors")
    refused("an image", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")


def a_page_of_this_machine_may_call_and_read():
    for origin in ["http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:8000", "https://app.localhost",
                   "capacitor://localhost", "http://phone.test:8081"]:
        email = fresh_address("developer")
        status, received, _ = send("OPTIONS", "/auth/v1/signup", Origin=origin, Access_Control_Request_Method="POST",
                                   Access_Control_Request_Headers="apikey,content-type", Sec_Fetch_Site="cross-site",
                                   Sec_Fetch_Mode="cors")
        assert status == 204 and received["access-control-allow-origin"] in ("*", origin), (origin, status, received)
        status, received, body = send("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD},
                                      apikey=anon, Content_Type="application/json", Origin=origin,
                                      Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="cors")
        assert status == 200 and received["access-control-allow-origin"] in ("*", origin), (origin, status, body)


def names_of_this_machine_lead_to_it():
    for host in ["localhost", "localhost:3000", "127.0.0.1", "[::1]:8080", "auth.localhost", "phone.test:9"]:
        assert send("GET", "/dev/settings.json", host=host)[0] == 200, host


def links_and_the_servers_own_pages_work():
    # A link in a mail program's page; a form of a page that tells nobody where it is.
    assert send("GET", "/dev", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200
    assert send("POST", "/auth/v1/signup", {"email": fresh_address("form"), "password": PASSWORD}, apikey=anon,
                Origin="null", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="navigate")[0] == 200


def development_pages_are_for_themselves_alone():
    for path in ["/dev", "/dev/settings.json", "/dev/mail", "/dev/mail.json"]:
        status, received, _ = send("GET", path, Origin="http://localhost:3000", Sec_Fetch_Site="cross-site")
        assert status == 200 and not [name for name in received if name.startswith("access-control")], (path, received)
        status, received, _ = send("OPTIONS", path, Origin="http://localhost:3000", Access_Control_Request_Method="GET")
        assert not [name for name in received if name.startswith("access-control")], (path, received)


steps(a_name_bound_anew_to_the_loopback_is_refused, a_page_of_another_site_is_refused,
      a_page_of_this_machine_may_call_and_read, names_of_this_machine_lead_to_it,
      links_and_the_servers_own_pages_work, development_pages_are_for_themselves_alone)
