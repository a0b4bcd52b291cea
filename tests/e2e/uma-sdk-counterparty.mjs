import { createECDH, createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import * as uma from '@uma-sdk/core'
import { decrypt } from 'eciesjs'

/**
 * An institution made with the public package `@uma-sdk/core`, with none of Corridor's code: it looks up, pays and is paid
 * by UMA address (webhooks-uma 6). What the package has no words for, the bilateral settlement of 6.7, is written out here.
 * Runs as a process of its own; the test tells it what to do under /control, and it prints where it listens.
 *
 * Its one user is $sam, who takes EUR. Every signature it is given goes through the package; one that is wrong ends the
 * request with 401, and is counted.
 */

const keyPair = () => {
  const ecdh = createECDH('secp256k1')
  ecdh.generateKeys()
  // Node leaves leading zeros out, one key in 256; the package that decrypts takes 32 bytes.
  const privateKey = Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex')
  return { privateKey, publicKey: ecdh.getPublicKey('hex') }
}
const [signing, encryption] = [keyPair(), keyPair()]
const hour = 3_600
const nonces = new uma.InMemoryNonceValidator(Date.now() - 10 * 60_000)
const keys = new uma.InMemoryPublicKeyCache()
const multiplier = 17_250.25
const feeMsats = 2_000

const lookups = new Map()
/** What others owe for, by payment hash. */
const promises = new Map()
const report = {
  verified: 0,
  backed: 0,
  refused: 0,
  credits: [],
  travelRule: [],
  callbacks: 0,
  callbacksTaken: 0,
}

/**
 * Set by the test: it speaks version 0 alone and settles over Lightning. The package, when it answers, takes the amount of
 * version 0 for millisatoshi (AS_THE_PACKAGE); what it sends itself are units of the receiver, as the protocol has it.
 */
let version0

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  try {
    const answer = await route(request.method, new URL(request.url, `http://${domain()}`), text)
    response.setHeader('content-type', 'application/json')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  } catch (error) {
    if (error.status === 401) report.refused++
    // Not an answer of the protocol: why it could not be reached is to be found in what the tests print.
    if (error.status === undefined) console.error(error)
    response.statusCode = error.status ?? 500
    response.end(
      JSON.stringify({
        status: 'ERROR',
        reason: String(error.message),
        code: error.code ?? 'INTERNAL_ERROR',
        supportedMajorVersions: error.supportedMajorVersions,
      }),
    )
  }
})
await new Promise((done) => server.listen(0, 'localhost', done))
process.stdout.write(`${domain()}\n`)
process.on('SIGTERM', () => process.exit(0))

function domain() {
  return `localhost:${server.address().port}`
}

function refuse(status, code) {
  return Object.assign(new Error(code), { status, code })
}

async function route(method, url, text) {
  const [, first, second, third] = url.pathname.split('/')
  const at = `${method} /${first}/${second}`
  if (at === 'GET /.well-known/lnurlpubkey') {
    const expires = Math.floor(Date.now() / 1000) + hour
    const own = [undefined, undefined, signing.publicKey, encryption.publicKey, expires]
    return new uma.PubKeyResponse(...own).toJsonString()
  }
  if (at === 'GET /.well-known/uma-configuration') {
    return {
      name: 'Counterparty',
      uma_major_versions: [0, 1],
      settlement_endpoint: `http://${domain()}/uma/settle`,
    }
  }
  if (at === 'GET /.well-known/lnurlp') return answerLookup(url)
  if (at === 'POST /uma/payreq') return answerPayRequest(third, text)
  if (at === 'POST /uma/settle') return answerSettlement(JSON.parse(text))
  if (at === 'POST /uma/utxo-callback') return answerCallback(text)
  if (first === 'node') return node(method, second)
  if (at === 'POST /control/version-0') {
    version0 = JSON.parse(text).reads
    return {}
  }
  if (at === 'POST /control/pay') return pay(JSON.parse(text))
  if (at === 'GET /control/report') return report
  throw refuse(404, 'NOT_FOUND')
}

/** What moved, as the other side tells it after the payment. */
async function answerCallback(text) {
  const told = uma.parsePostTransactionCallback(text)
  const theirs = await uma.fetchPublicKeyForVasp({ cache: keys, vaspDomain: told.vaspDomain })
  if (!(await uma.verifyPostTransactionCallbackSignature(told, theirs, nonces))) {
    throw refuse(401, 'INVALID_SIGNATURE')
  }
  report.callbacks++
  return {}
}

async function tell(url) {
  const told = await uma.getPostTransactionCallback({
    utxos: [],
    vaspDomain: domain(),
    signingPrivateKey: signing.privateKey,
  })
  await ask(url, JSON.stringify(told))
  report.callbacksTaken++
}

/** Throws unless the signature is that of the domain, by the package's own check. */
async function verified(vaspDomain, check, backing) {
  const theirs = await uma.fetchPublicKeyForVasp({ cache: keys, vaspDomain })
  if (!(await check(theirs))) throw refuse(401, 'INVALID_SIGNATURE')
  if (backing) {
    if (!(await backing())) throw refuse(401, 'INVALID_SIGNATURE')
    report.backed++
  }
  report.verified++
  return theirs
}

const metadataOf = (address) =>
  JSON.stringify([
    ['text/plain', `Pay ${address}`],
    ['text/identifier', address],
  ])
const euro = new uma.Currency('EUR', 'Euro', '€', multiplier, 1, 10_000_000, 2)
const bilateral = {
  settlementLayer: 'bilateral',
  assets: [{ identifier: 'BTC', multipliers: { EUR: multiplier } }],
}

async function answerLookup(url) {
  const request = uma.parseLnurlpRequest(url)
  if (version0 && request.umaVersion !== '0.3') {
    throw Object.assign(refuse(412, 'UNSUPPORTED_UMA_VERSION'), { supportedMajorVersions: [0] })
  }
  if (!uma.isLnurlpRequestForUma(request)) throw refuse(403, 'NON_UMA_LNURL_NOT_SUPPORTED')
  await verified(
    request.vaspDomain,
    (theirs) => uma.verifyUmaLnurlpQuerySignature(request, theirs, nonces),
    request.backingSignatures && (() => uma.verifyUmaLnurlpQueryBackingSignatures(request, keys)),
  )
  if (request.receiverAddress !== `$sam@${domain()}`) throw refuse(404, 'USER_NOT_FOUND')
  const id = randomBytes(8).toString('hex')
  lookups.set(id, { address: request.receiverAddress, vaspDomain: request.vaspDomain })
  const answer = await uma.getLnurlpResponse({
    request,
    callback: `http://${domain()}/uma/payreq/${id}`,
    encodedMetadata: metadataOf(request.receiverAddress),
    minSendableSats: 1,
    maxSendableSats: 10_000_000,
    privateKeyBytes: signing.privateKey,
    requiresTravelRuleInfo: true,
    receiverKycStatus: uma.KycStatus.Verified,
    payerDataOptions: { name: { mandatory: true }, birthDate: { mandatory: false } },
    currencyOptions: [euro],
    settlementOptions: [bilateral],
  })
  return answer.toJsonString()
}

async function answerPayRequest(id, text) {
  const { address, vaspDomain } = lookups.get(id) ?? {}
  const request = uma.PayRequest.fromJson(text)
  await verified(
    vaspDomain,
    (theirs) => uma.verifyPayReqSignature(request, theirs, nonces),
    request.payerData.compliance.backingSignatures &&
      (() => uma.verifyPayReqBackingSignatures(request, keys)),
  )
  if (!request.payerData.name) throw refuse(400, 'MISSING_MANDATORY_PAYER_DATA')
  const { encryptedTravelRuleInfo, utxoCallback } = request.payerData.compliance
  const opened = decrypt(encryption.privateKey, Buffer.from(encryptedTravelRuleInfo, 'hex'))
  report.travelRule.push(JSON.parse(Buffer.from(opened).toString()))
  const promise = {
    preimage: randomBytes(32),
    vaspDomain,
    payer: request.payerData.identifier,
    utxoCallback,
    payee: address,
  }
  if (version0 === 'UNITS') request.sendingAmountCurrencyCode = request.receivingCurrencyCode
  const answer = await uma.getPayReqResponse({
    request,
    conversionRate: multiplier,
    receivingCurrencyCode: 'EUR',
    receivingCurrencyDecimals: 2,
    invoiceCreator: {
      createInvoiceForSettlementLayer: async (amountMsats, description, _receiver, settlement) => {
        const hash = createHash('sha256').update(promise.preimage).digest('hex')
        promises.set(hash, { ...promise, amountMsats })
        if (version0 && !settlement) return simulatedInvoice(hash, amountMsats, description)
        if (settlement?.layer !== 'bilateral') throw refuse(400, 'INVALID_INPUT')
        return `bilateral1.${hash}.${amountMsats}.${Math.floor(Date.now() / 1000) + 300}`
      },
    },
    metadata: metadataOf(address),
    receiverChannelUtxos: [],
    receiverFeesMillisats: feeMsats,
    utxoCallback: `http://${domain()}/uma/utxo-callback/paid`,
    receivingVaspPrivateKey: signing.privateKey,
    payeeIdentifier: address,
    payeeData: { identifier: address, name: 'Sam Sandoval' },
    disposable: false,
  })
  promises.get(hashOf(answer.pr)).credit = answer.converted.amount
  return answer.toJsonString()
}

function simulatedInvoice(hash, amountMsats, description) {
  const parts = {
    hash,
    msats: String(amountMsats),
    description: createHash('sha256').update(description).digest('hex'),
    expiresAt: Date.now() + 300_000,
    paidAt: `http://${domain()}/node/${hash}`,
  }
  return `lnsandbox1${Buffer.from(JSON.stringify(parts)).toString('base64url')}`
}
const simulated = (pr) => JSON.parse(Buffer.from(pr.slice('lnsandbox1'.length), 'base64url').toString())
const hashOf = (pr) => (pr.startsWith('lnsandbox1') ? simulated(pr).hash : pr.split('.')[1])

/** Its simulated node: who pays says so, and gets the preimage. */
function node(method, hash) {
  const promise = promises.get(hash)
  if (!promise) throw refuse(404, 'REQUEST_NOT_FOUND')
  if (method === 'POST' && !promise.isSettled) {
    promise.isSettled = true
    report.credits.push({ payer: promise.payer, amount: promise.credit, amountMsats: promise.amountMsats })
  }
  return promise.isSettled ? { preimage: promise.preimage.toString('hex') } : {}
}

/** $sam pays in version 0, over Lightning: its answers to a pay request are not signed. */
async function payInVersion0(looked, theirs, { to, currency, amount }) {
  const payerIdentifier = `$sam@${domain()}`
  const request = await uma.getPayRequest({
    receiverEncryptionPubKey: theirs.getEncryptionPubKey(),
    sendingVaspPrivateKey: signing.privateKey,
    receivingCurrencyCode: currency,
    isAmountInReceivingCurrency: true,
    amount,
    payerIdentifier,
    payerKycStatus: uma.KycStatus.Verified,
    payerData: { name: 'Sam Sandoval' },
    utxoCallback: `http://${domain()}/uma/utxo-callback/received`,
    requestedPayeeData: { identifier: { mandatory: true } },
    umaMajorVersion: uma.getMajorVersion(looked.umaVersion),
  })
  const agreed = uma.PayReqResponse.fromJson(await ask(looked.callback, request.toJsonString()))
  const { hash, msats, paidAt } = simulated(agreed.pr)
  const { preimage } = JSON.parse(await ask(paidAt, '{}'))
  if (createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') !== hash)
    throw refuse(500, 'NO_PROOF')
  const { multiplier } = looked.currencies.find(({ code }) => code === currency)
  return { to, umaVersion: looked.umaVersion, msats: Number(msats), multiplier, converted: agreed.converted }
}

async function answerSettlement(asked) {
  const { paymentHash, amountMsats, vaspDomain, signature, signatureNonce, signatureTimestamp } = asked
  const promise = promises.get(paymentHash)
  if (!promise || promise.vaspDomain !== vaspDomain) throw refuse(404, 'REQUEST_NOT_FOUND')
  // The package verifies whatever names its own text: amount and hash are part of this one.
  const signed = {
    payerData: { compliance: { signature, signatureNonce, signatureTimestamp } },
    signablePayload: () => `${paymentHash}|${amountMsats}|${signatureNonce}|${signatureTimestamp}`,
  }
  await verified(vaspDomain, (theirs) => uma.verifyPayReqSignature(signed, theirs, nonces))
  if (amountMsats !== promise.amountMsats || asked.payerIdentifier !== promise.payer)
    throw refuse(400, 'INVALID_INPUT')
  if (!promise.isSettled) report.credits.push({ payer: promise.payer, amount: promise.credit, amountMsats })
  if (!promise.isSettled) setImmediate(() => tell(promise.utxoCallback))
  promise.isSettled = true
  return { preimage: promise.preimage.toString('hex') }
}

/** $sam pays somebody: lookup, pay request, settlement. What the other side answered comes back whole. */
async function pay({ to, currency, amount, lock, version }) {
  const vaspDomain = to.split('@')[1]
  const url = await uma.getSignedLnurlpRequestUrl({
    isSubjectToTravelRule: true,
    receiverAddress: to,
    senderVaspDomain: domain(),
    signingPrivateKey: signing.privateKey,
    umaVersionOverride: version,
  })
  const looked = uma.LnurlpResponse.fromJson(await ask(url))
  const theirs = await verified(
    vaspDomain,
    (key) => uma.verifyUmaLnurlpResponseSignature(looked, key, nonces),
    looked.compliance.backingSignatures && (() => uma.verifyUmaLnurlpResponseBackingSignatures(looked, keys)),
  )
  if (version === '0.3') return payInVersion0(looked, theirs, { to, currency, amount })
  const payerIdentifier = `$sam@${domain()}`
  const request = await uma.getPayRequest({
    receiverEncryptionPubKey: theirs.getEncryptionPubKey(),
    sendingVaspPrivateKey: signing.privateKey,
    receivingCurrencyCode: currency,
    isAmountInReceivingCurrency: lock === 'RECEIVING',
    amount,
    payerIdentifier,
    payerKycStatus: uma.KycStatus.Verified,
    trInfo: JSON.stringify({ originator: { name: 'Sam Sandoval', account: payerIdentifier } }),
    payerData: { name: 'Sam Sandoval' },
    utxoCallback: `http://${domain()}/uma/utxo-callback/received`,
    requestedPayeeData: { name: { mandatory: true }, identifier: { mandatory: true } },
    umaMajorVersion: uma.getMajorVersion(looked.umaVersion),
    settlement: { layer: 'bilateral', assetIdentifier: 'BTC' },
  })
  const agreed = uma.PayReqResponse.fromJson(await ask(looked.callback, request.toJsonString()))
  await verified(
    vaspDomain,
    (key) => uma.verifyPayReqResponseSignature(agreed, payerIdentifier, to, key, nonces),
    agreed.payeeData.compliance.backingSignatures &&
      (() => uma.verifyPayReqResponseBackingSignatures(agreed, payerIdentifier, to, keys)),
  )
  const [, paymentHash, amountMsats] = agreed.pr.split('.')
  const configuration = JSON.parse(await ask(`http://${vaspDomain}/.well-known/uma-configuration`))
  const signatureNonce = uma.generateNonce()
  const signatureTimestamp = Math.floor(Date.now() / 1000)
  const signed = `${paymentHash}|${amountMsats}|${signatureNonce}|${signatureTimestamp}`
  const settled = await ask(
    configuration.settlement_endpoint,
    JSON.stringify({
      paymentHash,
      amountMsats: Number(amountMsats),
      payeeIdentifier: to,
      payerIdentifier,
      vaspDomain: domain(),
      signature: await uma.signPayload(signed, signing.privateKey),
      signatureNonce,
      signatureTimestamp,
    }),
  )
  const { preimage } = JSON.parse(settled)
  const proof = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
  if (proof !== paymentHash) throw refuse(500, 'NO_PROOF')
  await tell(agreed.payeeData.compliance.utxoCallback)
  return {
    looked: looked.toJsonSchemaObject(),
    agreed: agreed.toJsonSchemaObject(),
    amountMsats: Number(amountMsats),
  }
}

async function ask(url, body) {
  const init =
    body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== 200) throw refuse(502, `${response.status} ${text}`)
  return text
}
