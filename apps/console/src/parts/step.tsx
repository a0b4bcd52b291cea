import { t } from '../language/t.ts'

/** What the steps of the ledger are called, by the code that the API has for each. */
const stepWords: Readonly<Record<string, string>> = {
  hold: t('Hold'),
  capture: t('Held money taken'),
  release: t('Held money released'),
  execute: t('Execution'),
  fund: t('Funding'),
  late: t('Late funding'),
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
  clawback: t('Taken back'),
  return: t('Return'),
  refund: t('Refund'),
  writeOff: t('Write-off'),
}

/** What a step is called; one that is new to the console by its code. */
export const stepWord = (step: string) => stepWords[step] ?? step

/** A step of the ledger in words, with its code under the pointer; one that is new to the console is its code. */
export function Step({ of }: { readonly of: string }) {
  if (!(of in stepWords)) return <code>{of}</code>
  return (
    <span className="step" title={of}>
      {stepWords[of]}
    </span>
  )
}
