# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by its own protocol over two pipes: https://chromedevtools.github.io/devtools-protocol"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

NAMES = ["chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    def __init__(self, *arguments):
        assert PROGRAM, "no browser: scripts/setup --tests installs one"
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.out = os.pipe()
        self.input, theirs_out = os.pipe()

        def pipes():
            # Where the browser looks for them. Copied out of the way first: they may be each other's numbers.
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", *arguments,
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=pipes)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.rest, self.events = 0, b"", []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def send(self, method, session=None, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def read(self):
        while b"\0" not in self.rest:
            assert select.select([self.input], [], [], 60)[0], "the browser says nothing"
            part = os.read(self.input, 1 << 16)
            assert part, "the browser is gone"
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def window(self, **settings):
        """A window of its own, with cookies of its own."""
        return Window(self, **settings)


class Window:
    def __init__(self, browser, language="en", dark=False, width=1280, height=900):
        self.browser = browser
        self.context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(domain + ".enable")
        self.send("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.size(width, height)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def close(self):
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)

    def complaints(self):
        """What the browser has logged of errors: a style or a form that a policy refused, a script that failed."""
        return [event["params"]["entry"]["text"] for event in self.browser.events
                if event.get("method") == "Log.entryAdded" and event.get("sessionId") == self.session
                and event["params"]["entry"]["level"] == "error"
                and "status of 4" not in event["params"]["entry"]["text"]]

    def loaded(self, act):
        """Does something that leads to another page, and waits for that."""
        self.browser.events = [event for event in self.browser.events if event.get("method") == "Log.entryAdded"
                               or event.get("sessionId") != self.session]
        act()
        while not any(map(self.is_there, self.browser.events)):
            self.browser.events.append(self.browser.read())

    def is_there(self, event):
        # A page that the browser had kept whole is not loaded.
        return event.get("sessionId") == self.session and (
            event.get("method") == "Page.loadEventFired"
            or event.get("method") == "Page.frameNavigated" and event["params"].get("type") == "BackForwardCacheRestore")

    def open(self, url):
        self.loaded(lambda: self.send("Page.navigate", url=url))

    def value(self, script):
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, (script, result)
        return result["result"].get("value")

    def fill(self, name, text):
        """Types into the field of this name."""
        assert self.value(f"!!document.getElementsByName({json.dumps(name)})[0]"), (name, self.heading, self.text)
        self.value(f"document.getElementsByName({json.dumps(name)})[0].select()")
        self.send("Input.insertText", text=text)

    def press(self, selector="main form button"):
        assert self.value(f"!!document.querySelector({json.dumps(selector)})"), (selector, self.heading, self.text)
        self.loaded(lambda: self.value(f"document.querySelector({json.dumps(selector)}).click()"))

    def back(self):
        history = self.send("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]["id"]
        self.loaded(lambda: self.send("Page.navigateToHistoryEntry", entryId=entry))

    @property
    def heading(self):
        return self.value("document.querySelector('h1')?.textContent")

    @property
    def title(self):
        return self.value("document.title")

    @property
    def text(self):
        return self.value("document.body.innerText")

    @property
    def url(self):
        return self.value("location.href")

    def has_focus(self, name):
        """Whether the field of this name has the focus, as soon as the page is shown."""
        return self.send("Runtime.evaluate", awaitPromise=True, returnByValue=True, expression=f"""
            new Promise(answer => {{
              const end = performance.now() + 10000
              const look = () => document.activeElement.name === {json.dumps(name)} ? answer(true)
                : performance.now() > end ? answer(false) : setTimeout(look, 20)
              look()
            }})""")["result"]["value"]

    def picture(self, path):
        """Of the whole page."""
        height = self.value("Math.max(document.documentElement.scrollHeight, innerHeight)")
        width = self.value("innerWidth")
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
