import { inflateRawSync } from 'node:zlib'
import { assert } from '@corridor/kernel'

/** Shorter texts gain less than it costs. */
export const worthPacking = 200

/**
 * JSON as the API shows payments, balances and quotes, which is nearly all of what is sealed by the thousand. Texts
 * are packed by what they share with it, so it stays as it is to the byte: another dictionary gets another mark, and
 * this one stays beside it for as long as there may be texts of it. The likeliest stands last, where it is found first.
 */
const dictionary = Buffer.from(
  [
    '"fundingPaymentInstructions":[{"instructionsNotes":"Put the reference  into the payment, or it cannot be matched to Corridor Client Funds.","isPlatformAccount":false,"accountOrWalletInfo":{"bankName":"Corridor Settlement Bank","reference":"","accountType":"US_ACCOUNT","bankAddress":"1 Settlement Plaza, New York, NY 10005, US","paymentRails":["RTP","FEDNOW","ACH","WIRE"],"accountNumber":"","routingNumber":"","accountCategory":"CHECKING","accountHolderName":"Corridor Client Funds"}},{"isPlatformAccount":false,"accountOrWalletInfo":{"address":"","assetType":"USDC","accountType":"SOLANA_WALLET"}}],"createdAt":"',
    '{"id":"Webhook:0","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","timestamp":"20","data":{"id":"InternalAccount:0","customerId":"Customer:0","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":',
    '{"id":"Webhook:0","type":"INCOMING_PAYMENT.COMPLETED","timestamp":"20","data":{"id":"Transaction:0","direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:0","currency":"USD"},"customerId":"Customer:0","platformCustomerId":"","reconciliationInstructions":{"reference":"REF-"},"settledAt":"20","type":"INCOMING","status":"COMPLETED","source":{"sourceType":"REALTIME_FUNDING","currency":"USD"},',
    '{"id":"Quote:0","status":"COMPLETED","createdAt":"20","expiresAt":"20","source":{"sourceType":"ACCOUNT","accountId":"InternalAccount:0"},"destination":{"destinationType":"ACCOUNT","accountId":"ExternalAccount:0"},"sendingCurrency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2},"receivingCurrency":{"code":"EUR","name":"Euro","symbol":"€","decimals":2},"totalSendingAmount":0,"totalReceivingAmount":0,"exchangeRate":1.,"feesIncluded":0,"platformFeesIncluded":0,"transactionId":"Transaction:0","rateDetails":{"counterpartyMultiplier":0,"counterpartyFixedFee":0,"gridApiMultiplier":0,"gridApiFixedFee":0,"gridApiVariableFeeRate":0.005,"gridApiVariableFeeAmount":0}}',
    '{"id":"Webhook:0","type":"OUTGOING_PAYMENT.PENDING.PROCESSING.FAILED.COMPLETED","timestamp":"20","data":{"id":"Transaction:0","direction":"DEBIT","destination":{"destinationType":"ACCOUNT","accountId":"ExternalAccount:0","currency":"EUR"},"customerId":"Customer:0","platformCustomerId":"","exchangeRate":1.,"quoteId":"Quote:0","reconciliationInstructions":{"reference":"REF-"},"settledAt":"20","createdAt":"20","updatedAt":"20","type":"OUTGOING","status":"PROCESSING","source":{"sourceType":"ACCOUNT","accountId":"InternalAccount:0","currency":"USD"},"sentAmount":{"amount":0,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"receivedAmount":{"amount":0,"currency":{"code":"EUR","name":"Euro","symbol":"€","decimals":2}},"fees":0,"platformFees":0,"rateDetails":{"gridApiFixedFee":0,"gridApiMultiplier":0,"counterpartyFixedFee":0,"counterpartyMultiplier":0,"gridApiVariableFeeRate":0.005,"gridApiVariableFeeAmount":0},"paymentRail":"SEPA_INSTANT","railSelectionMode":"AUTO","expectedSettlementAt":null,"settlementTimelineSeconds":60}}',
  ].join(''),
)

/**
 * Packed texts are blocks of LZ4 (its block format, version 1.6.4) behind the length of the text in four bytes, the
 * lowest first. Of 1.4 KB with the dictionary 330 bytes are left after 4 us; DEFLATE left 200 after 30, because zlib sets
 * up its memory and looks through the dictionary for every text. That was a tenth of what a payment takes in Node (ADR 42).
 */
const lengthBytes = 4
const shortestMatch = 4
/** The format's: the last match begins at least so far from the end, and the last bytes are never part of one. */
const lastMatch = 12
const lastBytes = 5
const farthest = 65_535
const hashBits = 12

/** The dictionary, and behind it the text at work. Longer texts get room of their own. */
const room = roomFor(64 * 1024)
const packedRoom = Buffer.alloc(bound(64 * 1024))
/** Where four bytes were seen last, by their hash; -1 where they were not. */
const places = new Int32Array(1 << hashBits)
const placesInDictionary = new Int32Array(1 << hashBits).fill(-1)
for (let at = 0; at + shortestMatch <= dictionary.length; at++) placesInDictionary[hashAt(room, at)] = at

function roomFor(textBytes: number): Buffer {
  const bytes = Buffer.alloc(dictionary.length + textBytes)
  dictionary.copy(bytes)
  return bytes
}

/** The most that a text may take where nothing repeats. */
function bound(textBytes: number): number {
  return lengthBytes + textBytes + Math.ceil(textBytes / 255) + 16
}

function hashAt(bytes: Buffer, at: number): number {
  const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  return Math.imul(four, 2_654_435_761) >>> (32 - hashBits)
}

/** The text, packed by what repeats in it and what it shares with the dictionary. */
export function pack(text: string): Buffer {
  const isLong = text.length * 3 > room.length - dictionary.length
  const bytes = isLong ? roomFor(text.length * 3) : room
  const end = dictionary.length + bytes.write(text, dictionary.length, 'utf8')
  const packed = isLong ? Buffer.alloc(bound(end - dictionary.length)) : packedRoom
  packed.writeUInt32LE(end - dictionary.length)
  places.set(placesInDictionary)
  let to = lengthBytes
  let literals = dictionary.length
  for (let at = dictionary.length; at <= end - lastMatch; at++) {
    const hash = hashAt(bytes, at)
    const from = places[hash]!
    places[hash] = at
    if (from < 0 || at - from > farthest || !isSame(bytes, from, at)) continue
    let matched = shortestMatch
    while (at + matched < end - lastBytes && bytes[from + matched] === bytes[at + matched]) matched++
    to = writeSequence(packed, to, bytes, literals, at, matched - shortestMatch)
    packed[to - 2] = (at - from) & 255
    packed[to - 1] = (at - from) >> 8
    to = writeRest(packed, to, matched - shortestMatch)
    at += matched - 1
    literals = at + 1
  }
  to = writeSequence(packed, to, bytes, literals, end, 0) - 2
  return Buffer.from(packed.subarray(0, to))
}

function isSame(bytes: Buffer, a: number, b: number): boolean {
  return (
    bytes[a] === bytes[b] &&
    bytes[a + 1] === bytes[b + 1] &&
    bytes[a + 2] === bytes[b + 2] &&
    bytes[a + 3] === bytes[b + 3]
  )
}

/** A token and its literals, with two bytes left for how far back the match is. Answers where it goes on. */
function writeSequence(
  packed: Buffer,
  to: number,
  bytes: Buffer,
  from: number,
  end: number,
  matched: number,
): number {
  const literals = end - from
  packed[to] = (Math.min(literals, 15) << 4) | Math.min(matched, 15)
  let next = writeRest(packed, to + 1, literals)
  for (let at = from; at < end; at++) packed[next++] = bytes[at]!
  return next + 2
}

/** What of a length does not fit into its four bits. */
function writeRest(packed: Buffer, to: number, length: number): number {
  if (length < 15) return to
  let next = to
  let rest = length - 15
  for (; rest >= 255; rest -= 255) packed[next++] = 255
  packed[next++] = rest
  return next
}

/** The text to the byte. Throws for what `pack` has not made. */
export function unpack(packed: Buffer): string {
  assert(packed.length > lengthBytes, whole)
  const length = packed.readUInt32LE(0)
  // A byte stands for 255 of the text at most, so that nobody's length asks for more memory than there is.
  assert(length <= packed.length * 255, whole)
  const end = dictionary.length + length
  const bytes = end > room.length ? roomFor(length) : room
  let at = lengthBytes
  let to = dictionary.length
  for (;;) {
    assert(at < packed.length, whole)
    const token = packed[at++]!
    let literals = token >> 4
    if (literals === 15) [literals, at] = readRest(packed, at)
    assert(at + literals <= packed.length && to + literals <= end, whole)
    for (; literals > 0; literals--) bytes[to++] = packed[at++]!
    if (at === packed.length) break
    assert(at + 2 <= packed.length, whole)
    let from = to - (packed[at]! | (packed[at + 1]! << 8))
    at += 2
    let matched = token & 15
    if (matched === 15) [matched, at] = readRest(packed, at)
    matched += shortestMatch
    assert(from >= 0 && from < to && to + matched <= end, whole)
    // Byte by byte: a match may reach into what it writes.
    for (; matched > 0; matched--) bytes[to++] = bytes[from++]!
  }
  assert(to === end, whole)
  return bytes.toString('utf8', dictionary.length, end)
}

const whole = 'a packed text is whole'

function readRest(packed: Buffer, from: number): [number, number] {
  let length = 15
  let at = from
  for (;;) {
    assert(at < packed.length, whole)
    const more = packed[at++]!
    length += more
    if (more < 255) return [length, at]
  }
}

/** Texts of before were packed with DEFLATE (RFC 1951) and the same dictionary. Throws for what is none. */
export function inflate(packed: Uint8Array): string {
  return inflateRawSync(packed, { dictionary, windowBits: 13 }).toString('utf8')
}
