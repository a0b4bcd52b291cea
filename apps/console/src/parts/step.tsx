import { t } from '../language/t.ts'

/** What the steps of the ledger are called, by the code that the API has for each. */
const stepWords: Readonly<Record<string, string>> = {
  hold: t('Hold'),
  capture: t('Held money taken'),
  release: t('Held money released'),
  execute: t('Execution'),
  fund: t('Funding'),
  late: t('Funding that came late'),
  collect: t('Collection'),
  deposit: t('Deposit'),
  receive: t('Receipt'),
  refuse: t('Refusal'),
  suspense: t('Into suspense'),
  resolve: t('Out of suspense'),
  convert: t('Conversion'),
  deliver: t('Delivery'),
  credit: t('Credit'),
  unwind: t('Conversion unwound'),
  return: t('Return'),
  refund: t('Refund'),
}

/** A step of the ledger in words, and its code; one that is new to the console has its code alone. */
export function Step({ of }: { readonly of: string }) {
  const word = stepWords[of]
  return (
    <>
      {word && `${word} `}
      <code>{of}</code>
    </>
  )
}
