import axios from 'axios'
import { account, base, clientId, clientSecret, csv, payee } from './settings.mjs'

const api = axios.create({ baseURL: base, auth: { username: clientId, password: clientSecret } })
const list = await api.get('/transactions', { params: { status: ['FAILED', 'REJECTED'], limit: 10 } })
const form = new FormData()
form.append('file', new Blob([csv('axios')], { type: 'text/csv' }), 'customers.csv')
const upload = await api.post('/customers/bulk/csv', form)
const payment = await api.post('/quotes', {
  source: { sourceType: 'ACCOUNT', accountId: account },
  destination: { destinationType: 'ACCOUNT', accountId: payee },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 1000,
  immediatelyExecute: true,
})
console.log(`${list.data.totalCount} ${upload.status} ${payment.data.status}`)
