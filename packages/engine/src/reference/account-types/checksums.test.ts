import { describe, expect, it } from 'vitest'
import { isSepaCountry } from '../rails/index.ts'
import { isClabe, isCnpj, isCpf, isIban, isRoutingNumber } from './checksums.ts'

const table: readonly [string, (text: string) => boolean, string[], string[]][] = [
  [
    'isIban',
    isIban,
    [
      'DE89370400440532013000',
      'GB29NWBK60161331926819',
      'AE070331234567890123456',
      'PK36SCBL0000001123456702',
    ],
    ['DE89370400440532013001', 'DE8937040044053201300', 'ZZ89370400440532013000', ''],
  ],
  [
    'isRoutingNumber',
    isRoutingNumber,
    ['021000021', '110000000', '026009593'],
    // wrong sum, right sum in a range never issued, wrong length
    ['123456789', '500000005', '02100002'],
  ],
  [
    'isClabe',
    isClabe,
    ['032180000118359719', '012180001234503002'],
    ['123456789012345678', '032180000118359718', '03218000011835971'],
  ],
  ['isCpf', isCpf, ['52998224725'], ['52998224726', '11111111111', '5299822472']],
  [
    'isCnpj',
    isCnpj,
    ['11222333000181', '12ABC34501DE35'],
    ['11222333000182', '00000000000000', '12ABC34501DE36', '12abc34501de35'],
  ],
  [
    'isSepaCountry',
    isSepaCountry,
    ['DE', 'CH', 'GB', 'MC', 'SM', 'RS', 'ME', 'MD', 'MK', 'AL'],
    ['US', 'AE', 'XX', 'UA', 'TR', 'BA', 'XK', ''],
  ],
]

describe.each(table)('%s', (_name, accepts, genuine, invented) => {
  it.each(genuine)('accepts %s', (text) => expect(accepts(text)).toBe(true))
  it.each(invented)('refuses %s', (text) => expect(accepts(text)).toBe(false))
})
