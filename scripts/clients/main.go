// The same three calls with net/http of Go.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
)

func send(method, path, contentType string, body []byte) (int, map[string]any) {
	request, err := http.NewRequest(method, os.Getenv("BASE")+path, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	return response.StatusCode, answer
}

func main() {
	query := url.Values{"status[]": {"FAILED", "REJECTED"}}
	_, list := send("GET", "/transactions?"+query.Encode(), "", nil)

	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	file, _ := writer.CreateFormFile("file", "customers.csv")
	fmt.Fprint(file, "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country\n$go@clients.example,go,INDIVIDUAL,Ada Ro,1980-01-01,1 Main St,Austin,TX,78701,US\n")
	writer.Close()
	upload, _ := send("POST", "/customers/bulk/csv", writer.FormDataContentType(), form.Bytes())

	quote, _ := json.Marshal(map[string]any{
		"source":               map[string]string{"sourceType": "ACCOUNT", "accountId": os.Getenv("ACCOUNT")},
		"destination":          map[string]string{"destinationType": "ACCOUNT", "accountId": os.Getenv("PAYEE")},
		"lockedCurrencySide":   "SENDING",
		"lockedCurrencyAmount": 1000,
		"immediatelyExecute":   true,
	})
	_, payment := send("POST", "/quotes", "application/json", quote)
	fmt.Println(list["totalCount"], upload, payment["status"])
}
