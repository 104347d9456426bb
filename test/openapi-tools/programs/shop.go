package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expect(found, wanted any) {
	if !reflect.DeepEqual(found, wanted) {
		panic(fmt.Sprint(found, " is not ", wanted))
	}
}

func newClient(url string) *client.APIClient {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: url}}
	return client.NewAPIClient(settings)
}

func main() {
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("API_KEY"))
	api := newClient(os.Getenv("API_URL"))
	email, day := os.Getenv("EMAIL"), os.Getenv("DAY")
	metadata := map[string]any{"text": "Ọjà", "whole": 1042.0, "part": 1.5, "flag": true, "none": nil}

	body := client.NewCreateChargeBody(3_000_000_000, email)
	body.SetMetadata(metadata)
	created, _, err := api.ChargesAPI.CreateCharge(ctx).CreateChargeBody(*body).IdempotencyKey(email).Execute()
	reference := must(created, err).Reference
	read, _, err := api.ChargesAPI.GetCharge(ctx, reference).Execute()
	expect(must(read, err).AmountKobo, int64(3_000_000_000))

	unpaid := []client.TransactionStatus{client.TRANSACTIONSTATUS_INITIATED, client.TRANSACTIONSTATUS_PENDING}
	listed, _, err := api.TransactionsAPI.ListTransactions(ctx).
		Status(unpaid).Customer(email).From(day).To(day).Limit(1).Execute()
	expect(len(must(listed, err).Data), 1)
	expect(listed.Data[0].Reference, reference)
	expect(listed.Data[0].Metadata, metadata)

	wanted := client.NewRequestRefundBody(os.Getenv("PAID"), "Returned")
	wanted.SetAmountKobo(10_000)
	refund, _, err := api.RefundsAPI.RequestRefund(ctx).RequestRefundBody(*wanted).Execute()
	expect(must(refund, err).Status, client.REFUNDSTATUS_REQUESTED)

	feed, _, err := newClient(os.Getenv("FEED_URL")).EventsAPI.ListEvents(ctx).Execute()
	for _, event := range must(feed, err).Data {
		// Which of the pointers is set says what happened.
		var one struct {
			Type string
			Data struct{ Id string }
		}
		must(0, json.Unmarshal(must(json.Marshal(event.GetActualInstance())), &one))
		fmt.Println(one.Type, one.Data.Id)
	}
}
