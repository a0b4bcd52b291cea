/**
 * A Pix "copy and paste" string (BR Code): tag, length, value, in EMV order, and a CRC over all of it.
 * With an amount the payer's app asks for exactly that.
 */
export function pixCode({
  pixKey,
  reference,
  amountMinor,
  receiverName,
}: {
  readonly pixKey: string
  /** Comes back with the payment; letters and digits, at most 25. */
  readonly reference: string
  readonly amountMinor?: bigint
  /** Printed by the payer's app; plain capitals, at most 25. */
  readonly receiverName: string
}): string {
  const amount = amountMinor === undefined ? '' : field('54', decimal(amountMinor))
  const code = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', pixKey)),
    field('52', '0000'),
    field('53', '986'),
    amount,
    field('58', 'BR'),
    field('59', receiverName),
    field('60', 'SAO PAULO'),
    field('62', field('05', reference)),
    '6304',
  ].join('')
  return code + crc16(code)
}

function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`
}

/** 12345 → `123.45`: reais have two decimals. */
function decimal(amountMinor: bigint): string {
  return `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`
}

/** CRC-16/CCITT-FALSE, as the BR Code manual demands. */
function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
