// PAYMENTS_KEY=svc_sk_test_… WEBHOOK_SECRET=whsec_… go run shop.go
package main

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	api    = "{PUBLIC_URL}/v1"
	oldest = 5 * time.Minute
)

var (
	port    = cmp.Or(os.Getenv("PORT"), "3000")
	key     = needed("PAYMENTS_KEY")
	secret  = needed("WEBHOOK_SECRET")
	shopURL = cmp.Or(os.Getenv("SHOP_URL"), "http://localhost:"+port)
	client  = http.Client{Timeout: 30 * time.Second}
)

type order struct {
	amountKobo     int64
	status, charge string
}

// In your shop a table.
var (
	orders = map[string]*order{}
	mutex  sync.Mutex
)

type transaction struct {
	MerchantReference string `json:"merchant_reference"`
	AmountKobo        int64  `json:"amount_kobo"`
	Status            string `json:"status"`
}

type charge struct {
	Reference   string       `json:"reference"`
	CheckoutURL string       `json:"checkout_url"`
	Transaction *transaction `json:"transaction"`
}

// ask sends one request; once makes it safe to send it again.
func ask(method, path, once string, body any) (answer charge, err error) {
	var sent bytes.Buffer
	if body != nil {
		json.NewEncoder(&sent).Encode(body)
	}
	request, err := http.NewRequest(method, api+path, &sent)
	if err != nil {
		return answer, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	if once != "" {
		request.Header.Set("Idempotency-Key", once)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(response.Body)
		return answer, fmt.Errorf("%s %s: %s", method, path, text)
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer, err
}

// find returns a copy of an order, made where there is none and make is true.
func find(id string, make bool) (order, bool) {
	mutex.Lock()
	defer mutex.Unlock()
	if orders[id] == nil && make {
		orders[id] = &order{amountKobo: 250000, status: "not paid yet"}
	}
	if orders[id] == nil {
		return order{}, false
	}
	return *orders[id], true
}

// buy makes the order of this id: however often it is sent, there is one, and one charge.
func buy(id string) (checkoutURL string, err error) {
	wanted, _ := find(id, true)
	made, err := ask("POST", "/charges", id, map[string]any{
		"amount_kobo": wanted.amountKobo,
		"email":       "ada@example.com", // whoever is signed in
		"reference":   id,
		"return_url":  shopURL + "/orders/" + id,
	})
	if err != nil {
		return "", err
	}
	mutex.Lock()
	defer mutex.Unlock()
	orders[id].charge = made.Reference
	return made.CheckoutURL, nil
}

// recordPayment learns from the webhook and by look-up, in any order and more than once: it acts once.
func recordPayment(paid transaction) {
	mutex.Lock()
	defer mutex.Unlock()
	id := paid.MerchantReference
	if order := orders[id]; order == nil || order.status != "not paid yet" {
		return
	} else if paid.AmountKobo == order.amountKobo {
		order.status = "paid"
		log.Printf("FULFIL %s", id)
	} else {
		order.status = "being looked at"
		log.Printf("ALERT %d kobo were paid for %s", paid.AmountKobo, id)
	}
}

// lookUp asks the service: the payer is back, or looks again, and the address proves nothing.
func lookUp(known order) error {
	if known.charge == "" || known.status != "not paid yet" {
		return nil
	}
	charge, err := ask("GET", "/charges/"+known.charge, "", nil)
	if paid := charge.Transaction; paid != nil && (paid.Status == "succeeded" || paid.Status == "settled") {
		recordPayment(*paid)
	}
	return err
}

// isGenuine is true when these very bytes were signed with the endpoint's secret, and not long ago.
func isGenuine(body []byte, header string) bool {
	sentAt, signatures := "", []string{}
	for _, part := range strings.Split(header, ",") {
		if name, value, _ := strings.Cut(part, "="); name == "t" {
			sentAt = value
		} else if name == "v1" {
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > oldest {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "." + string(body)))
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// While a secret is rotated there are several v1: one that fits is enough.
	return slices.ContainsFunc(signatures, func(given string) bool {
		return hmac.Equal([]byte(given), expected)
	})
}

func receive(response http.ResponseWriter, request *http.Request) {
	// The bytes as they came: parsed and written again they would differ.
	body, err := io.ReadAll(request.Body)
	if err != nil || !isGenuine(body, request.Header.Get("Service-Signature")) {
		http.Error(response, "This signature does not fit.", http.StatusBadRequest)
		return
	}
	var event struct {
		Type string
		Data transaction
	}
	if json.Unmarshal(body, &event) == nil && event.Type == "charge.succeeded" {
		recordPayment(event.Data)
	}
	// 200 once it is kept: what you answered 200 to is not sent again.
}

func failed(response http.ResponseWriter, err error) {
	log.Print(err)
	http.Error(response, "That did not work. Send it again: you pay once.", http.StatusBadGateway)
}

func needed(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("Set %s", name)
	}
	return value
}

func main() {
	http.HandleFunc("POST /hooks", receive)
	http.HandleFunc("GET /{$}", func(response http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(response, `<h1>Rice, 5 kg</h1>
			<form method="post" action="/orders/%s"><button>Buy for ₦2,500</button></form>`, rand.Text())
	})
	http.HandleFunc("POST /orders/{id}", func(response http.ResponseWriter, request *http.Request) {
		if checkoutURL, err := buy(request.PathValue("id")); err != nil {
			failed(response, err)
		} else {
			http.Redirect(response, request, checkoutURL, http.StatusSeeOther)
		}
	})
	http.HandleFunc("GET /orders/{id}", func(response http.ResponseWriter, request *http.Request) {
		id := request.PathValue("id")
		known, ok := find(id, false)
		if !ok {
			http.NotFound(response, request)
		} else if err := lookUp(known); err != nil {
			failed(response, err)
		} else {
			known, _ = find(id, false)
			fmt.Fprintf(response, `<h1>Your order is %s.</h1><a href="">Look again</a>`, known.status)
		}
	})
	log.Printf("Open %s", shopURL)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
