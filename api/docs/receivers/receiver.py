# WEBHOOK_SECRET=whsec_… python3 receiver.py
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OLDEST_SECONDS = 300


def is_genuine(body, header, secret):
    """True when these very bytes were signed with the endpoint's secret, and not long ago."""
    parts = [part.split("=", 1) for part in (header or "").split(",") if "=" in part]
    sent_at = next((value for name, value in parts if name == "t"), "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > OLDEST_SECONDS:
        return False
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    # While a secret is rotated there are several v1: one that fits is enough.
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


# In your service both are tables; the event's id is unique in the second.
orders = {"order-1042": 250000}
seen = set()


def handle(event):
    """Slow work belongs here, not before the answer."""
    if event["type"] != "charge.succeeded":
        return
    name, paid = event["data"]["merchant_reference"], event["data"]["amount_kobo"]
    if orders.get(name) != paid:
        print(f"ALERT {paid} kobo were paid for {name}", flush=True)
    else:
        print(f"FULFIL {name}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they came: parsed and written again they would differ.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(body, self.headers.get("Service-Signature"), os.environ["WEBHOOK_SECRET"]):
            return self.answer(400)
        event = json.loads(body)
        is_new = event["id"] not in seen
        seen.add(event["id"])  # kept before the answer: what you answered 200 to is not sent again
        self.answer(200)
        if is_new:
            handle(event)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", 8000))), Receiver)
print("Listening", flush=True)
server.serve_forever()
