# The same three calls with curl.
set -eu
list=$(curl -gsS -u "$CLIENT_ID:$CLIENT_SECRET" "$BASE/transactions?status[]=FAILED&status[]=REJECTED")
file=$(printf '%s\n' 'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country' \
  '$curl@clients.example,curl,INDIVIDUAL,Ada Ro,1980-01-01,1 Main St,Austin,TX,78701,US')
upload=$(printf '%s\n' "$file" | curl -sS -o /dev/null -w '%{http_code}' -u "$CLIENT_ID:$CLIENT_SECRET" \
  -F 'file=@-;filename=customers.csv;type=text/csv' "$BASE/customers/bulk/csv")
payment=$(curl -sS -u "$CLIENT_ID:$CLIENT_SECRET" --json "{
  \"source\": {\"sourceType\": \"ACCOUNT\", \"accountId\": \"$ACCOUNT\"},
  \"destination\": {\"destinationType\": \"ACCOUNT\", \"accountId\": \"$PAYEE\"},
  \"lockedCurrencySide\": \"SENDING\", \"lockedCurrencyAmount\": 1000, \"immediatelyExecute\": true}" "$BASE/quotes")
member() { printf '%s' "$1" | sed -E "s/.*\"$2\":\"?([^\",}]*).*/\1/"; }
echo "$(member "$list" totalCount) $upload $(printf '%s' "$payment" | grep -oE '"status":"[A-Z]+"' | head -1 | cut -d'"' -f4)"
