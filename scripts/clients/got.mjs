import got from 'got'
import { account, base, clientId, clientSecret, csv, payee } from './settings.mjs'

const api = got.extend({
  prefixUrl: base,
  username: clientId,
  password: clientSecret,
  responseType: 'json',
  retry: { limit: 0 },
})
const searchParams = new URLSearchParams([
  ['status', 'FAILED'],
  ['status', 'REJECTED'],
])
const list = await api.get('transactions', { searchParams })
const form = new FormData()
form.append('file', new Blob([csv('got')], { type: 'text/csv' }), 'customers.csv')
const upload = await api.post('customers/bulk/csv', { body: form })
const payment = await api.post('quotes', {
  json: {
    source: { sourceType: 'ACCOUNT', accountId: account },
    destination: { destinationType: 'ACCOUNT', accountId: payee },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 1000,
    immediatelyExecute: true,
  },
})
console.log(`${list.body.totalCount} ${upload.statusCode} ${payment.body.status}`)
