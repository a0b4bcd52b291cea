import type { Corridor } from '@corridor/sdk'
import { funded } from './payments.ts'
import { approvedPerson } from './people.ts'
import { type Means, type Scenario, until } from './scenario.ts'

/** A card and what is bought with it. The ending of the merchant's name decides in the sandbox. */

async function activeCard(client: Corridor, means: Means): Promise<{ cardId: string; customerId: string }> {
  const customerId = await approvedPerson(client, means)
  const usd = await funded(client, customerId)
  const { id } = await client.cards.create({
    cardholderId: customerId,
    form: 'VIRTUAL',
    fundingSources: [usd],
  } as never)
  await until(means, 'the card is active', async () => (await client.cards.get(id)).state === 'ACTIVE')
  return { cardId: id, customerId }
}

/** A purchase of 30.00 USD; answers its transaction. */
async function purchase(client: Corridor, means: Means, descriptor = 'CORNER CAFE') {
  const { cardId, customerId } = await activeCard(client, means)
  await client.sandbox.cards.simulate.authorization(cardId, {
    amount: 3_000,
    currency: { code: 'USD' },
    merchant: { descriptor, mcc: '5814', country: 'US' },
  } as never)
  let cardTransactionId = ''
  await until(means, 'the purchase is recorded', async () => {
    const [made] = await client.transactions.list({ type: 'CARD', customerId } as never).first(1)
    cardTransactionId = made?.id ?? ''
    return made !== undefined
  })
  return { cardId, cardTransactionId }
}

function claimed(amount: number, returned = 0): Scenario {
  return async (client, means) => {
    const { cardId, cardTransactionId } = await purchase(client, means)
    await client.sandbox.cards.simulate.clearing(cardId, { cardTransactionId, amount } as never)
    if (returned > 0) {
      await until(means, 'the purchase is settled', async () => {
        const { status } = (await client.transactions.get(cardTransactionId)) as { status: string }
        return status === 'SETTLED'
      })
      await client.sandbox.cards.simulate.return(cardId, { cardTransactionId, amount: returned } as never)
    }
    return cardTransactionId
  }
}

const otherSource: Scenario = async (client, means) => {
  const { cardId, customerId } = await activeCard(client, means)
  const eur = await client.customers.internalAccounts.list({ customerId } as never).first(10)
  const [other] = eur.filter(({ balance }) => balance.currency.code === 'USD').map(({ id }) => id)
  await client.cards.update(cardId, { fundingSources: [other] } as never)
  return cardId
}

export const cardScenarios = {
  'CARD.STATE_CHANGE': async (client, means) => (await activeCard(client, means)).cardId,
  'CARD.FUNDING_SOURCE_CHANGE': otherSource,
  'CARD_TRANSACTION.AUTHORIZED': async (client, means) => (await purchase(client, means)).cardTransactionId,
  'CARD_TRANSACTION.PARTIALLY_SETTLED': claimed(1_000),
  'CARD_TRANSACTION.SETTLED': claimed(3_000),
  'CARD_TRANSACTION.REFUNDED': claimed(3_000, 3_000),
  'CARD_TRANSACTION.EXCEPTION': async (client, means) => {
    const { cardId, cardTransactionId } = await purchase(client, means, 'CORNER CAFE 006')
    await client.sandbox.cards.simulate.clearing(cardId, { cardTransactionId, amount: 3_000 } as never)
    return cardTransactionId
  },
} satisfies Readonly<Record<string, Scenario>>
