# PAYMENTS_KEY=svc_sk_test_… WEBHOOK_SECRET=whsec_… python3 shop.py
import hashlib
import hmac
import json
import os
import re
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

API = "{PUBLIC_URL}/v1"
PORT = int(os.environ.get("PORT", 3000))
SHOP_URL = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
OLDEST_SECONDS = 300
KEY, SECRET = os.environ["PAYMENTS_KEY"], os.environ["WEBHOOK_SECRET"]

# In your shop a table.
orders = {}


def ask(method, path, body=None, key=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = json.dumps(body).encode() if body else None
    with urlopen(Request(API + path, data, headers, method=method), timeout=30) as answer:
        return json.load(answer)


def buy(id):
    """The order of this id: however often it is sent, there is one, and one charge."""
    order = orders.setdefault(id, {"id": id, "amount_kobo": 250000, "status": "not paid yet"})
    charge = ask("POST", "/charges", {
        "amount_kobo": order["amount_kobo"],
        "email": "ada@example.com",  # whoever is signed in
        "reference": id,
        "return_url": f"{SHOP_URL}/orders/{id}",
    }, key=id)
    order["charge"] = charge["reference"]
    return charge["checkout_url"]


def record_payment(transaction):
    """Learnt from the webhook and by look-up, in any order and more than once: acts once."""
    order, paid = orders.get(transaction["merchant_reference"]), transaction["amount_kobo"]
    if not order or order["status"] != "not paid yet":
        return
    order["status"] = "paid" if paid == order["amount_kobo"] else "being looked at"
    if order["status"] == "paid":
        print(f"FULFIL {order['id']}", flush=True)
    else:
        print(f"ALERT {paid} kobo were paid for {order['id']}", flush=True)


def status_of(order):
    """The payer is back, or looks again. The address proves nothing, so the service is asked."""
    if order["status"] == "not paid yet" and "charge" in order:
        transaction = ask("GET", f"/charges/{order['charge']}")["transaction"]
        if transaction and transaction["status"] in ("succeeded", "settled"):
            record_payment(transaction)
    return order["status"]


def is_genuine(body, header):
    """True when these very bytes were signed with the endpoint's secret, and not long ago."""
    parts = [part.split("=", 1) for part in (header or "").split(",") if "=" in part]
    sent_at = next((value for name, value in parts if name == "t"), "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > OLDEST_SECONDS:
        return False
    expected = hmac.new(SECRET.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    # While a secret is rotated there are several v1: one that fits is enough.
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        order = orders.get(self.path.split("?")[0].removeprefix("/orders/"))
        if self.path == "/":
            form = f'<form method="post" action="/orders/{uuid.uuid4()}"><button>Buy for ₦2,500</button></form>'
            self.answer(200, f"<h1>Rice, 5 kg</h1>{form}")
        elif order:
            self.answer(200, f'<h1>Your order is {status_of(order)}.</h1><a href="">Look again</a>')
        else:
            self.answer(404, "There is no such page.")

    def do_POST(self):
        # The bytes as they came: parsed and written again they would differ.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        order = re.fullmatch(r"/orders/([0-9a-f-]{36})", self.path)
        if self.path == "/hooks":
            self.receive(body)
        elif order:
            self.answer(303, location=buy(order[1]))
        else:
            self.answer(404, "There is no such page.")

    def receive(self, body):
        if not is_genuine(body, self.headers.get("Service-Signature")):
            return self.answer(400)
        event = json.loads(body)
        if event["type"] == "charge.succeeded":
            record_payment(event["data"])
        self.answer(200)  # once it is kept: what you answered 200 to is not sent again

    def answer(self, status, text="", location=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text.encode())))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError as error:
            print(error, flush=True)
            self.answer(502, "That did not work. Send it again: you pay once.")


server = ThreadingHTTPServer(("", PORT), Shop)
print(f"Open {SHOP_URL}", flush=True)
server.serve_forever()
